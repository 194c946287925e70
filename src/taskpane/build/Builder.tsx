import { Button, Caption1, Field, Link, makeStyles, mergeClasses, Select } from "@fluentui/react-components";
import { useCallback, useEffect, useRef, useState } from "react";
import type { Place, Selection } from "../../contract/workbook";
import type { Shown } from "../../session/calls";
import { isTouching, readArea, readPlace, showPlace } from "../addresses";
import { toFigureFormat } from "../figure-format";
import { useStableFocus } from "../focus";
import { type FormulaCall, readFormula, toFormulaText } from "../formula-text";
import { type HeldPlace, isHolding, useInsert } from "../insert";
import { Hint, Row, Stack, useLook } from "../layout";
import { type Handoffs, useHandoff, usePane, useSeparators } from "../pane";
import { CompanyNamesContext, useMemory } from "../picker/company-writing";
import { useLoaded } from "../query";
import { type BuildTexts, buildTexts } from "../texts/build";
import { Arguments } from "./Arguments";
import type { Catalogue, FormulaInfo } from "./catalogue";
import { type Draft, isSound, onSheet, toCall, useDraft } from "./draft";
import { Outcome, toShownWidths } from "./Outcome";

interface BuilderProps {
  catalogue: Catalogue;
  handoff: Handoffs["build"] | undefined;
}

/** The form for building a formula. */
export function Builder({ catalogue, handoff }: BuilderProps) {
  const { workbook, texts, session } = usePane();
  const page = useRef<HTMLDivElement>(null);
  const shown = useRef<Shown | null>(null);
  const names = useMemory();
  useHandoff(handoff, (wanted) => "company" in wanted && names.remember([wanted.company]));
  const { selection, look } = useSelection();
  const { draft, settle, choose, change, ...other } = useDraft(catalogue, handoff, selection);
  const info = catalogue.get(draft.name) as FormulaInfo;
  const given = toCall(draft, info);
  const call = selection === null || draft.place === null ? given : onSheet(given, draft.place.sheet, selection.sheet);
  const lack = toLack(info, call, buildTexts[texts.language]);
  useStableFocus(page, draft.place);
  const insert = useInsert();
  const write = async (replaced: HeldPlace | null) => {
    const formula = toFormulaText(call);
    // The selection that is shown: its sheet decides how the formula names its cells, and a newer one may not have come.
    const at = replaced ?? (selection && { sheet: selection.sheet, address: selection.cell });
    const isReplacing = replaced !== null && (await isHolding(workbook, replaced));
    const format = toFigureFormat(call);
    const place = await insert({
      cells: [[{ formula, format }]],
      widths: toShownWidths(shown.current, format ?? null, texts, session.settings.dateSystem),
      ...(at && { at, isReplacing }),
    });
    if (place !== null) settle({ ...place, formula });
    look();
  };
  return (
    <CompanyNamesContext value={names}>
      <Stack ref={page} gap="M">
        <Offer selection={selection} draft={draft} {...other} />
        <FormulaChoice catalogue={catalogue} info={info} choose={choose} />
        <Arguments info={info} draft={draft} change={change} />
        <Outcome {...{ page, call, lack, shown }} sheet={draft.place?.sheet ?? selection?.sheet ?? null} />
        <Placing
          selection={selection}
          place={draft.place}
          isWhole={lack === null}
          reads={(place) => isGivenCell(call, place)}
          write={(replaced) => void write(replaced)}
        />
      </Stack>
    </CompanyNamesContext>
  );
}

/** Whether a formula reads a cell; it must not read its own. */
export function isGivenCell({ given }: FormulaCall, { sheet, address }: Place): boolean {
  return given.some((each) => {
    if (each?.kind !== "cells") return false;
    const cells = readPlace(each.text);
    const isOnSheet = cells.sheet === "" || cells.sheet.toLowerCase() === sheet.toLowerCase();
    return isOnSheet && isTouching(readArea(cells.address), readArea(address));
  });
}

/** Excel's limit for a cell's formula, in characters. */
const LONGEST_FORMULA = 8_192;

/** Why a formula is not ready for a cell, in words; null when it is. */
export function toLack({ parameters }: FormulaInfo, call: FormulaCall, texts: BuildTexts): string | null {
  const { given } = call;
  const missing = parameters.filter(({ isRequired }, index) => isRequired && given[index] === null);
  const labels = missing.map(({ name }) => texts.labels[name] ?? name);
  if (labels.length > 0) return texts.missing(labels.join(texts.between));
  if (!given.every(isSound)) return texts.mend;
  return toFormulaText(call).length > LONGEST_FORMULA ? texts.tooLong : null;
}

/** The selection; null before the first reading. `look` reads it again. */
function useSelection(): { selection: Selection | null; look: () => void } {
  const { workbook } = usePane();
  const [looks, setLooks] = useState(0);
  const look = useCallback(() => setLooks((before) => before + 1), []);
  useEffect(() => workbook.onSelection(look), [workbook, look]);
  // A cell that is being edited stays selected; writing reports the reason.
  // biome-ignore lint/correctness/useExhaustiveDependencies: each look reads anew
  const selection = useLoaded(useCallback(() => workbook.readSelection(), [workbook, looks]));
  return { selection, look };
}

const useStyles = makeStyles({
  // Otherwise it would be as wide as its longest option.
  choice: { minWidth: 0, "& select": { width: "100%", minWidth: 0, textOverflow: "ellipsis" } },
});

interface FormulaChoiceProps {
  catalogue: Catalogue;
  info: FormulaInfo;
  choose: (name: string) => void;
}

/** The choice of a formula, by family of data. */
function FormulaChoice({ catalogue, info, choose }: FormulaChoiceProps) {
  const styles = useStyles();
  const look = useLook();
  const { data, help } = buildTexts[usePane().texts.language];
  const { withSeparators } = useSeparators();
  return (
    <div>
      <Field label={data}>
        <Select className={styles.choice} value={info.name} onChange={(_, { value }) => choose(value)}>
          {listFamilies(catalogue).map(([family, formulas]) => (
            <optgroup key={family} label={family}>
              {formulas.map(({ name, gives }) => (
                <option key={name} value={name}>
                  {`${gives} (${name})`}
                </option>
              ))}
            </optgroup>
          ))}
        </Select>
      </Field>
      <Hint block className={look.aboveXXS}>
        {info.description}{" "}
        <Link inline href={withSeparators(info.help)} target="_blank" rel="noreferrer">
          {help(info.name)}
        </Link>
      </Hint>
    </div>
  );
}

/** The formulas by family. */
function listFamilies(catalogue: Catalogue): [family: string, formulas: FormulaInfo[]][] {
  const formulas = [...catalogue.values()];
  const families = [...new Set(formulas.map(({ family }) => family))];
  return families.map((family) => [family, formulas.filter((each) => each.family === family)]);
}

interface OfferProps {
  selection: Selection | null;
  draft: Draft;
  /** The active cell's formula, where it is another one. */
  offered: Draft | null;
  open: (draft: Draft) => void;
  startAnew: () => void;
}

/** The cell whose formula is being edited, and an offer to edit the active cell's. */
function Offer({ selection, draft, offered, open, startAnew }: OfferProps) {
  const { edit, editing, startAnew: anew } = buildTexts[usePane().texts.language];
  return (
    <>
      {draft.place !== null && (
        <Row align="center">
          <Caption1>{editing(showPlace(draft.place))}</Caption1>
          <Button size="small" appearance="transparent" onClick={startAnew}>
            {anew}
          </Button>
        </Row>
      )}
      {offered?.place != null && (
        <div>
          <Button size="small" onClick={() => open(offered)}>
            {edit(showPlace(offered.place))}
          </Button>
        </div>
      )}
      {selection !== null && offered === null && <Uneditable selection={selection} place={draft.place} />}
    </>
  );
}

/** States that the active cell's formula can only be edited in the cell. */
function Uneditable({ selection, place }: { selection: Selection; place: Draft["place"] }) {
  const look = useLook();
  const { part, unknown } = buildTexts[usePane().texts.language];
  const { toLocalFormula } = useSeparators();
  const { kind } = readFormula(selection.formula);
  const active = showPlace({ sheet: selection.sheet, address: selection.cell });
  if (kind === "none" || (place !== null && showPlace(place) === active)) return null;
  return (
    <div role="status">
      <Caption1 block>{kind === "part" ? part(active) : unknown(active)}</Caption1>
      <code className={mergeClasses(look.code, look.breaking)}>{toLocalFormula(selection.formula)}</code>
    </div>
  );
}

interface PlacingProps {
  selection: Selection | null;
  /** The cell whose formula is being edited. */
  place: HeldPlace | null;
  /** Whether the formula is ready for a cell. */
  isWhole: boolean;
  /** Whether the formula reads a cell. */
  reads: (place: Place) => boolean;
  /** Writes the formula into the active cell, or in the place of a formula. */
  write: (replaced: HeldPlace | null) => void;
}

/** The buttons that write the formula: into the active cell, or into its own. */
function Placing({ selection, place, isWhole, reads, write }: PlacingProps) {
  const look = useLook();
  const { insertAt, insertAtActive, replaceIn, ownCell } = buildTexts[usePane().texts.language];
  const active = selection && { sheet: selection.sheet, address: selection.cell };
  const isHere = place !== null && active !== null && showPlace(active) === showPlace(place);
  const target = isHere ? place : active;
  const buttons = useRef<HTMLDivElement>(null);
  useStableFocus(buttons, isHere);
  const isCircular = target !== null && reads(target);
  return (
    <div ref={buttons} className={look.bar}>
      {isCircular && <Caption1 block>{ownCell(showPlace(target))}</Caption1>}
      <Row>
        {!isHere && (
          <Button
            appearance="primary"
            className={look.breaking}
            disabledFocusable={!isWhole || isCircular}
            onClick={() => write(null)}
          >
            {active === null ? insertAtActive : insertAt(showPlace(active))}
          </Button>
        )}
        {place !== null && (
          <Button
            appearance={isHere ? "primary" : "secondary"}
            className={look.breaking}
            disabledFocusable={!isWhole || reads(place)}
            onClick={() => write(place)}
          >
            {replaceIn(showPlace(place))}
          </Button>
        )}
      </Row>
    </div>
  );
}
