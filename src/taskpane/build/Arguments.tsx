import { Button, Field, Input, makeStyles } from "@fluentui/react-components";
import { useMemo } from "react";
import { isYearFact } from "../../feed/financials/metrics";
import type { NameSource } from "../../feed/names/rows";
import { showPlace } from "../addresses";
import type { Proposal } from "../Choice";
import { ComboBox } from "../ComboBox";
import { Fold } from "../Fold";
import { Stack, useLook } from "../layout";
import { attempt, usePane } from "../pane";
import { CompanyBox } from "../picker/CompanyBox";
import { buildTexts } from "../texts/build";
import type { FormulaInfo, Parameter } from "./catalogue";
import {
  type Draft,
  isCompany,
  isList,
  isSound,
  listProposals,
  mayBeSelected,
  readWritten,
  toWritingKind,
} from "./draft";

interface ArgumentsProps {
  info: FormulaInfo;
  draft: Draft;
  change: (argument: string, written: string) => void;
}

const needsOf = (formula: string): NameSource => (formula in OF_TAXONOMY ? "taxonomy" : "private");

/** Formulas that read a company's classification; the others read its record or financials. */
const OF_TAXONOMY: Readonly<Record<string, true>> = { CLASSIFICATION: true, PEERS: true };

/** Optional arguments that show at once, since most formulas use them. */
const AT_HAND = ["field", "fields", "years", "metrics", "layout", "top", "basis", "unit"];

/** The fields of a formula's arguments; the seldom used ones are folded. */
export function Arguments({ info, draft, change }: ArgumentsProps) {
  const { more } = buildTexts[usePane().texts.language];
  const isAmount = !isYearFact(draft.written.metric ?? "");
  const isAtHand = ({ name, isRequired }: Parameter) =>
    isRequired || (AT_HAND.includes(name) && (name !== "unit" || isAmount));
  const show = (parameter: Parameter) => (
    <Argument
      key={`${info.name} ${parameter.name}`}
      parameter={parameter}
      needs={needsOf(info.name)}
      written={draft.written[parameter.name] ?? ""}
      change={(written) => change(parameter.name, written)}
    />
  );
  const folded = info.parameters.filter((parameter) => !isAtHand(parameter));
  const isOpen = folded.some(({ name }) => (draft.written[name] ?? "") !== "");
  return (
    <Stack gap="M">
      {info.parameters.filter(isAtHand).map(show)}
      {folded.length > 0 && (
        <Fold isPlain title={more} isOpen={isOpen}>
          <Stack gap="M">{folded.map(show)}</Stack>
        </Fold>
      )}
    </Stack>
  );
}

const useStyles = makeStyles({
  argument: { position: "relative" },
  // On the line of the label, which has space.
  cells: { position: "absolute", top: 0, right: 0 },
});

interface ArgumentProps {
  parameter: Parameter;
  /** The family of data that must have the companies. */
  needs: NameSource;
  written: string;
  change: (written: string) => void;
}

/** The field of one argument. */
function Argument({ parameter, needs, written, change }: ArgumentProps) {
  const { name, description, isRequired } = parameter;
  const styles = useStyles();
  const look = useLook();
  const { session, texts } = usePane();
  const words = buildTexts[texts.language];
  const label = words.labels[name] ?? name;
  const nowMs = session.ports.nowMs();
  const today = new Date(nowMs).toDateString();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the proposals change by the day
  const proposals = useMemo(() => listProposals(parameter, words, nowMs), [parameter, words, today]);
  const byDefault = words.defaults[name];
  const hint = isCompany(name) ? words.companyHint : description;
  const fault = isSound(readWritten(written, toWritingKind(name))) ? undefined : words.unsound;
  return (
    <div className={styles.argument}>
      <Field
        label={label}
        required={isRequired}
        hint={written === "" && byDefault === undefined ? hint : undefined} // what is filled in explains itself
        validationMessage={fault}
      >
        {isCompany(name) ? (
          <CompanyBox written={written} isList={isList(name)} needs={needs} change={change} />
        ) : proposals.length > 0 ? (
          <ProposalBox {...{ written, byDefault, proposals, change }} isList={isList(name)} />
        ) : (
          <Input className={look.wide} value={written} onChange={(_, { value }) => change(value)} />
        )}
      </Field>
      {mayBeSelected(parameter) && (
        <div className={styles.cells}>
          <CellsButton label={label} change={change} />
        </div>
      )}
    </div>
  );
}

/** A button that sets an argument to the selected cells. */
function CellsButton({ label, change }: { label: string; change: (written: string) => void }) {
  const pane = usePane();
  const take = () => attempt(pane, async ({ workbook }) => change(`=${showPlace(await workbook.readSelection())}`));
  const { useCells, useCellsFor } = buildTexts[pane.texts.language];
  return (
    <Button size="small" appearance="transparent" aria-label={useCellsFor(label)} onClick={() => void take()}>
      {useCells}
    </Button>
  );
}

interface ProposalBoxProps {
  written: string;
  /** What an empty field means; undefined where its hint says so. */
  byDefault: string | undefined;
  proposals: readonly Proposal[];
  /** Whether it takes several values, with commas between them. */
  isList: boolean;
  change: (written: string) => void;
}

/** The text before the value being written, and that value. */
const splitLast = (written: string, isList: boolean): [before: string, last: string] => {
  const at = isList ? written.lastIndexOf(",") + 1 : 0;
  return [written.slice(0, at), written.slice(at).trim()];
};

/** A field with proposals that takes other values too. */
function ProposalBox({ written, byDefault, proposals, isList, change }: ProposalBoxProps) {
  const [before, last] = splitLast(written, isList);
  const offered = useMemo(() => pickOffered(proposals, last), [proposals, last]);
  const choose = (value: string) => change(before === "" ? value : `${before} ${value}`);
  return (
    <ComboBox
      value={written}
      placeholder={byDefault}
      offers={offered.map(({ value, name }) => ({ value, label: name === undefined ? value : `${value} · ${name}` }))}
      chosen={last}
      onWrite={change}
      onChoose={choose}
    />
  );
}

/** All proposals where the text is one of them; else the text itself and the matching ones. */
function pickOffered(proposals: readonly Proposal[], last: string): readonly Proposal[] {
  const part = last.toLowerCase();
  if (part === "" || proposals.some(({ value }) => value.toLowerCase() === part)) return proposals;
  const fitting = proposals.filter(({ value, name = "" }) => `${value} ${name}`.toLowerCase().includes(part));
  return [{ value: last }, ...fitting];
}
