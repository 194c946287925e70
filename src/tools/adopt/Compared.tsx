import {
  Body1,
  Button,
  Caption1,
  Field,
  Link,
  makeStyles,
  mergeClasses,
  Select,
  tokens,
} from "@fluentui/react-components";
import { useMemo } from "react";
import { toLetters } from "../../taskpane/addresses";
import { toShownValue } from "../../taskpane/changes/shown-values";
import { BusyButton, Heading, Hint, PlainList, Row, Stack, useLook } from "../../taskpane/layout";
import { attempt, usePane } from "../../taskpane/pane";
import { Reason } from "../../taskpane/Reason";
import type { BlockLine } from "./block";
import {
  type ComparedCell,
  type Comparison,
  compareCells,
  isAgreeing,
  listStaying,
  toCellAddress,
  toPartPlace,
} from "./comparison";
import type { Hypothesis, Proposal } from "./proposals";
import { useAdoptTexts } from "./texts";
import type { Phase } from "./use-comparison";

const useStyles = makeStyles({
  lost: { margin: 0, paddingInlineStart: tokens.spacingHorizontalL },
  field: { gridTemplateColumns: "minmax(0, 1fr)" }, // cuts a long value at the pane's edge
  difference: {
    display: "grid",
    gridTemplateColumns: "minmax(3.5em, auto) minmax(0, 1fr)",
    columnGap: tokens.spacingHorizontalS,
    alignItems: "baseline",
    padding: `${tokens.spacingVerticalXXS} 0`,
    borderBottom: `1px solid ${tokens.colorNeutralStroke3}`,
  },
  address: { fontSize: "inherit", textAlign: "start" },
  reason: { gridColumn: 2 },
});

interface ComparedProps {
  phase: Extract<Phase, { step: "compared" | "replacing" | "replaced" }>;
  choose: (line: number, hypothesis: Hypothesis | null) => void;
  replace: (compared: readonly ComparedCell[], place: string) => Promise<void>;
  reset: () => void;
}

/** A compared block: what its numbers are, how they agree, and what differs. */
export function Compared({ phase, choose, replace, reset }: ComparedProps) {
  const texts = useAdoptTexts();
  const { comparison, chosen, step } = phase;
  const cells = useMemo(() => compareCells(comparison, chosen), [comparison, chosen]);
  const agreeing = cells.filter(isAgreeing).length;
  const place = toPartPlace(comparison.part);
  const isReplaced = step === "replaced";
  return (
    <>
      {!isReplaced && (
        <Stack as="section">
          <Heading as="h3" isSmall>
            {texts.proposals}
          </Heading>
          {comparison.proposals.map((proposal, index) => (
            <ProposalLine
              // biome-ignore lint/suspicious/noArrayIndexKey: the lines of a comparison stay
              key={index}
              proposal={proposal}
              chosen={chosen[index] ?? null}
              cells={cells}
              isFixed={step !== "compared"}
              choose={(hypothesis) => choose(index, hypothesis)}
            />
          ))}
          {comparison.block.leftAlone > 0 && <Hint block>{texts.leftAlone(comparison.block.leftAlone)}</Hint>}
        </Stack>
      )}
      <NotFound comparison={comparison} />
      <Staying sheet={comparison.part.sheet} cells={listStaying(comparison, cells)} />
      {!isReplaced && agreeing === 0 && <Body1 block>{texts.nothingToReplace}</Body1>}
      <Row>
        {!isReplaced && agreeing > 0 && (
          <BusyButton appearance="primary" isBusy={step === "replacing"} onClick={() => void replace(cells, place)}>
            {step === "replacing" ? texts.replacing : texts.replace(agreeing)}
          </BusyButton>
        )}
        <Button onClick={reset} disabledFocusable={step === "replacing"}>
          {texts.another}
        </Button>
      </Row>
    </>
  );
}

/** The companies without figures, each with its reason. */
function NotFound({ comparison: { companies } }: { comparison: Comparison }) {
  const styles = useStyles();
  const look = useLook();
  const texts = useAdoptTexts();
  const lost = companies.filter(({ answer }) => answer === null);
  if (lost.length === 0) return null;
  return (
    <Stack as="section">
      <Heading as="h3" isSmall>
        {texts.notFound}
      </Heading>
      <ul className={mergeClasses(styles.lost, look.breaking)}>
        {lost.map(({ label, error }) => (
          <li key={label.text}>
            <Body1>{label.text}</Body1>
            <Reason error={error ?? texts.noSuch} />
          </li>
        ))}
      </ul>
    </Stack>
  );
}

interface ProposalLineProps {
  proposal: Proposal;
  chosen: Hypothesis | null;
  /** All compared cells of the block. */
  cells: readonly ComparedCell[];
  /** Whether it cannot be changed. */
  isFixed: boolean;
  choose: (hypothesis: Hypothesis | null) => void;
}

const AS_TYPED = "typed";

/** A row or column of typed numbers, with what they may be. */
function ProposalLine({ proposal, chosen, cells, isFixed, choose }: ProposalLineProps) {
  const styles = useStyles();
  const look = useLook();
  const texts = useAdoptTexts();
  const { line, choices, isCertain } = proposal;
  const name = toLineName(line, texts);
  if (choices.length === 0) {
    return (
      <Row isSpread isOneLine>
        <Caption1 className={look.cut} title={name}>
          {name}
        </Caption1>
        <Hint>{texts.nothingFits}</Hint>
      </Row>
    );
  }
  const own = new Set(line.cells);
  const agreeing = cells.filter((each) => own.has(each.cell) && isAgreeing(each)).length;
  const question = choices.length > 1 ? texts.choose(choices.length) : texts.other;
  const isAsking = chosen === null && !isCertain;
  return (
    <Field
      className={styles.field}
      size="small"
      label={name}
      validationState={isAsking ? "warning" : "none"}
      validationMessage={isAsking ? question : undefined}
      hint={chosen === null ? undefined : texts.fits(agreeing, line.cells.length)}
    >
      <Select
        size="small"
        disabled={isFixed}
        value={chosen === null ? AS_TYPED : String(choices.indexOf(chosen))}
        onChange={(_, { value }) => choose(choices[Number(value)] ?? null)}
      >
        {choices.map((choice, index) => (
          <option key={toName(choice, texts)} value={index}>
            {toName(choice, texts)}
          </option>
        ))}
        <option value={AS_TYPED}>{texts.asTyped}</option>
      </Select>
    </Field>
  );
}

type AdoptTexts = ReturnType<typeof useAdoptTexts>;

/** A hypothesis in words: "Revenue · millions · not consolidated". */
function toName({ metric, unit, basis, sign, year }: Hypothesis, texts: AdoptTexts): string {
  const parts = [
    metric,
    ...("year" in year ? [String(year.year)] : []),
    texts.units[unit],
    ...(basis === null ? [] : [texts.consolidation(basis)]),
    ...(sign === 1 ? [] : [texts.negative]),
    ...("index" in year && year.index > 0 ? [texts.yearBefore] : []),
  ];
  return parts.join(" · ");
}

/** The label of a line; without one its row or column. */
function toLineName({ label, cells }: BlockLine, texts: AdoptTexts): string {
  if (label !== null) return label;
  const rows = new Set(cells.map(({ row }) => row));
  const columns = new Set(cells.map(({ column }) => column));
  const [row = 0] = rows;
  const [column = 0] = columns;
  if (rows.size > 1 && columns.size > 1) return texts.block;
  return rows.size === 1 && (columns.size > 1 || cells.length === 1)
    ? texts.row(String(row + 1))
    : texts.column(toLetters(column));
}

interface StayingProps {
  sheet: string;
  cells: readonly ComparedCell[];
}

/** Most numbers in the page; they are fewer once the first ones are corrected. */
const MOST_LISTED = 200;

/** The numbers that stay typed, each with the provider's figure and the likely reason. */
function Staying({ sheet, cells }: StayingProps) {
  const texts = useAdoptTexts();
  if (cells.length === 0) return null;
  const more = cells.length - MOST_LISTED;
  return (
    <section>
      <Heading as="h3" isSmall>
        {texts.staying(cells.length)}
      </Heading>
      <PlainList>
        {cells.slice(0, MOST_LISTED).map((each) => (
          <Difference key={toCellAddress(each.cell)} sheet={sheet} compared={each} />
        ))}
      </PlainList>
      {more > 0 && <Hint block>{texts.more(more)}</Hint>}
    </section>
  );
}

/** Shows values as cells do. */
function useShow(): (value: unknown) => string {
  const { session, texts } = usePane();
  return (value) => toShownValue(value, null, texts, session.settings.dateSystem);
}

function Difference({ sheet, compared }: { sheet: string; compared: ComparedCell }) {
  const styles = useStyles();
  const look = useLook();
  const pane = usePane();
  const texts = useAdoptTexts();
  const show = useShow();
  const { cell, figure, reason } = compared;
  const address = toCellAddress(cell);
  const visit = () => attempt(pane, ({ workbook }) => workbook.show({ sheet, address }));
  return (
    <li className={mergeClasses(styles.difference, look.small, look.numbers, look.breaking)}>
      <Link as="button" className={styles.address} onClick={() => void visit()}>
        {address}
      </Link>
      <Row gap="M">
        <span>{show(cell.typed)}</span>
        <span className={look.strong}>{figure === null ? texts.noFigure : texts.theirs(show(figure))}</span>
      </Row>
      {reason !== null && <span className={mergeClasses(styles.reason, look.muted)}>{texts.reason(reason)}</span>}
    </li>
  );
}
