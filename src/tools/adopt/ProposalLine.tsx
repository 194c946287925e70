import { Caption1, Field, makeStyles, Select, tokens } from "@fluentui/react-components";
import { toLetters } from "../../taskpane/addresses";
import { Hint } from "../../taskpane/layout";
import type { BlockLine } from "./block";
import { type ComparedCell, isAgreeing } from "./comparison";
import type { Hypothesis, Proposal } from "./proposals";
import { useAdoptTexts } from "./use-comparison";

const useStyles = makeStyles({
  field: { gridTemplateColumns: "minmax(0, 1fr)" }, // cuts a long value at the pane's edge
  line: { display: "flex", justifyContent: "space-between", columnGap: tokens.spacingHorizontalS, minWidth: 0 },
  name: { overflow: "hidden", textOverflow: "ellipsis", whiteSpace: "nowrap" },
});

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
export function ProposalLine({ proposal, chosen, cells, isFixed, choose }: ProposalLineProps) {
  const styles = useStyles();
  const texts = useAdoptTexts();
  const { line, choices, isCertain } = proposal;
  const name = toLineName(line, texts);
  if (choices.length === 0) {
    return (
      <div className={styles.line}>
        <Caption1 className={styles.name} title={name}>
          {name}
        </Caption1>
        <Hint>{texts.nothingFits}</Hint>
      </div>
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
