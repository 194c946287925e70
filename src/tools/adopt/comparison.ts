import type { CellState, CellSwap, Workbook } from "../../contract/workbook";
import { toEnglish } from "../../feed/financials/japanese";
import { toName } from "../../feed/financials/names";
import type { Session } from "../../session/session";
import { isUnbounded, readArea, showPlace, toAddress, toLetters } from "../../taskpane/addresses";
import { type CellChanges, findSheetId, makeChanges } from "../../taskpane/cell-journal";
import { type Given, toFormulaText } from "../../taskpane/formula-text";
import { finishInSlices } from "../../taskpane/slices";
import { clipToUsed } from "../../taskpane/used-cells";
import type { Block, BlockCell, BlockLine, Label } from "./block";
import { type Agreement, compare, toUnitArgument } from "./cell-texts";
import { type CompanyQueries, type LoadedCompany, loadCompanies } from "./companies";
import {
  createFigures,
  decimalsOf,
  type Figures,
  type Hypothesis,
  type Proposal,
  proposeLines,
  yearOf,
} from "./proposals";
import { findReason, type Reason } from "./reasons";
import { cellAt, type SheetPart, textAt } from "./sides";

/** Labels may stand so far above and in front of a selection. */
const [ROWS_ABOVE, COLUMNS_BEFORE] = [12, 6];

/** Larger selections are not read. */
export const MOST_CELLS = 20_000;

/** Reads the selected cells and the labels around them; null for a single cell, "tooLarge" for too many. */
export async function readPart(workbook: Workbook, dateSystem: 1900 | 1904): Promise<SheetPart | "tooLarge" | null> {
  const { sheet, address } = await workbook.readSelection();
  const selection = isUnbounded(address) ? await clipToUsed(workbook, { sheet, address }) : readArea(address);
  if (selection === null || selection.rows * selection.columns < 2) return null;
  if (selection.rows * selection.columns > MOST_CELLS) return "tooLarge";
  const [row, column] = [Math.max(0, selection.row - ROWS_ABOVE), Math.max(0, selection.column - COLUMNS_BEFORE)];
  const rows = selection.row + selection.rows - row;
  const columns = selection.column + selection.columns - column;
  const cells = await workbook.readCells(showPlace({ sheet, address: toAddress({ row, column, rows, columns }) }));
  return { sheet, row, column, cells, selection, dateSystem };
}

/** The selected cells of a part of a sheet, as a person writes them. */
export const toPartPlace = ({ sheet, selection }: SheetPart): string =>
  showPlace({ sheet, address: toAddress(selection) });

/** A block compared with the provider. */
export interface Comparison {
  part: SheetPart;
  block: Block;
  companies: readonly LoadedCompany[];
  figures: Figures;
  proposals: readonly Proposal[];
}

interface Comparing {
  session: Pick<Session, "feed" | "formulas" | "settings">;
  part: SheetPart;
  block: Block;
  queries: readonly CompanyQueries[];
  progress: (done: number) => void;
  signal: AbortSignal;
}

/** Loads the companies of a block, and proposes what its lines are. @throws the signal's reason once it is aborted */
export async function compareBlock({ session, part, block, queries, ...loading }: Comparing): Promise<Comparison> {
  const companies = await loadCompanies(session, queries, loading);
  const figures = createFigures(companies.map(({ answer }) => answer));
  const proposals = await finishInSlices(proposeLines(block, figures));
  loading.signal.throwIfAborted();
  return { part, block, companies, figures, proposals };
}

/** What a person has chosen for each line; null leaves its numbers as they are. */
export type Chosen = readonly (Hypothesis | null)[];

/** The first choice of each line that fits nothing else. */
export const toFirstChoices = ({ proposals }: Comparison): Chosen =>
  proposals.map(({ choices, isCertain }) => (isCertain ? (choices[0] ?? null) : null));

/** How a typed number agrees with the provider's figure. */
interface CellAgreement {
  cell: BlockCell;
  /** "unknown" where the provider has no figure. */
  agreement: Agreement | "unknown";
  /** The provider's figure in the line's unit and sign; null without one. */
  figure: number | null;
  /** The fiscal year of the figure; null where the cell has none. */
  year: number | null;
  /** The decimals in which its line is typed. */
  decimals: number;
  /** Set where it differs. */
  reason: Reason | null;
}

/** Compares each cell of a line with the provider's figure, if the line is what a hypothesis says. */
function compareLine(line: BlockLine, hypothesis: Hypothesis, figures: Figures): CellAgreement[] {
  const decimals = decimalsOf(line);
  return line.cells.map((cell) => {
    const year = yearOf(cell, hypothesis);
    const own = year === null ? null : figures.find(cell.company, year, hypothesis);
    if (own === null) return { cell, agreement: "unknown", figure: null, year, decimals, reason: null };
    const figure = (hypothesis.sign * own) / hypothesis.unit;
    const agreement = compare(cell.typed, figure, decimals);
    const reason = agreement === "differs" ? findReason({ cell, hypothesis, decimals, figures }) : null;
    return { cell, agreement, figure, year, decimals, reason };
  });
}

/** A cell of the block with the hypothesis that it is compared by. */
export interface ComparedCell extends CellAgreement {
  hypothesis: Hypothesis;
}

/** Compares the cells of all chosen lines, in the block's order. */
export function compareCells({ proposals, figures }: Comparison, chosen: Chosen): ComparedCell[] {
  const compared = proposals.flatMap(({ line }, index) => {
    const hypothesis = chosen[index] ?? null;
    return hypothesis === null ? [] : compareLine(line, hypothesis, figures).map((each) => ({ ...each, hypothesis }));
  });
  return compared.sort((one, other) => one.cell.row - other.cell.row || one.cell.column - other.cell.column);
}

export const isAgreeing = ({ agreement }: Pick<CellAgreement, "agreement">): boolean =>
  agreement === "equal" || agreement === "rounded";

/** The numbers that stay typed though their company has figures: those that differ, and those without a figure. */
export const listStaying = ({ companies }: Comparison, compared: readonly ComparedCell[]): ComparedCell[] =>
  compared.filter((each) => !isAgreeing(each) && companies[each.cell.company]?.answer);

/**
 * Colours the cells that stay, for as long as they hold the number that they hold now; a person's own fills stay below.
 *
 * @returns how many, and what takes the colours away; none where the workbook refuses them
 */
export async function markStaying(workbook: Workbook, comparison: Comparison, compared: readonly ComparedCell[]) {
  const rules = listStaying(comparison, compared).map(({ cell }) => {
    const range = toCellAddress(cell);
    const { value } = cell.state;
    const held = typeof value === "string" ? `"${value.replaceAll('"', '""')}"` : value;
    return { range, formula: `=${range}=${held}`, style: "warm" as const };
  });
  try {
    return { marked: rules.length, unmark: await workbook.addRules(comparison.part.sheet, rules) };
  } catch {
    return { marked: 0, unmark: async () => {} };
  }
}

export const toCellAddress = ({ row, column }: Pick<BlockCell, "row" | "column">): string =>
  `${toLetters(column)}${row + 1}`;

/** Replaces the agreeing numbers by formulas; a number that was changed since it was read stays. */
export async function replaceCells(
  workbook: Workbook,
  { part, block, companies }: Comparison,
  compared: readonly ComparedCell[],
): Promise<CellChanges> {
  const readText = ({ row, column }: NonNullable<Label["cell"]>) => textAt(part, row, column);
  const agreeing = compared.filter(isAgreeing);
  const cells = agreeing.flatMap((each): CellSwap[] => {
    const { cell, hypothesis } = each;
    const company = companies[cell.company];
    if (!company?.answer) return [];
    const named = { id: company.answer.companyId, label: company.label };
    const formula = toCellFormula(cell, hypothesis, named, readText);
    const after: CellState = { value: null, formula, format: toFormulaFormat(each) };
    return [{ address: toCellAddress(cell), before: cell.state, after }];
  });
  const labels = agreeing.flatMap(({ cell: { company, yearCell, metricCell } }) => [
    ...(block.companies[company]?.labels ?? []).map((label) => label.cell),
    ...[yearCell, metricCell],
  ]);
  const read = new Map(
    labels
      .filter((label) => label !== null)
      .map((label) => [toCellAddress(label), String(cellAt(part, label.row, label.column).value ?? "").trim()]),
  );
  return makeChanges(workbook, {
    sheet: part.sheet,
    sheetId: await findSheetId(workbook, part.sheet),
    cells,
    labels: [...read].map(([address, text]) => ({ address, text })),
  });
}

const GENERAL = "General";

/** The cell's own format; without one the figure shows as many decimals as were typed. A text's format would show the formula. */
function toFormulaFormat({ cell: { state }, agreement, decimals }: ComparedCell): string {
  if (!["", GENERAL, "@"].includes(state.format)) return state.format;
  if (agreement === "equal") return GENERAL;
  return decimals === 0 ? "0" : `0.${"0".repeat(decimals)}`;
}

/** The company of a cell as a formula may name it. */
interface FormulaCompany {
  id: string;
  /** The label that the formula's lookup reads as this company. */
  label: Label;
}

/** Reads a label's text from its cell. */
type ReadText = (cell: NonNullable<Label["cell"]>) => string;

/** Writes the formula that gives a cell's figure; it refers to the block's labels where a formula reads them. */
export function toCellFormula(
  cell: BlockCell,
  hypothesis: Hypothesis,
  company: FormulaCompany,
  readText: ReadText,
): string {
  const { metric, basis, unit, sign } = hypothesis;
  const given: Given[] = [
    company.label.cell === null ? { kind: "text", value: company.id } : refer(company.label.cell, cell),
    toYear(cell, hypothesis),
    toMetric(cell, metric, readText),
    basis === null ? null : { kind: "text", value: basis },
    toUnit(toUnitArgument(unit)),
  ];
  const formula = toFormulaText({ name: "FINANCIAL", given });
  return sign === 1 ? formula : formula.replace(/^=/, "=-");
}

function toUnit(unit: string | number | null): Given {
  if (unit === null) return null;
  return typeof unit === "number" ? { kind: "number", value: unit } : { kind: "text", value: unit };
}

/** A reference that stays on its row or column when the formula is copied. */
function refer({ row, column }: NonNullable<Label["cell"]>, from: BlockCell): Given {
  const [letters, number] = [toLetters(column), row + 1];
  if (row === from.row) return { kind: "cells", text: `$${letters}${number}` };
  if (column === from.column) return { kind: "cells", text: `${letters}$${number}` };
  return { kind: "cells", text: `$${letters}$${number}` };
}

function toYear(cell: BlockCell, hypothesis: Hypothesis): Given {
  const year = yearOf(cell, hypothesis);
  const isLabel = cell.yearCell !== null && cell.years?.[0] === year;
  return isLabel && cell.yearCell !== null ? refer(cell.yearCell, cell) : { kind: "number", value: year ?? 0 };
}

/** A label is the argument where the formula reads it as the metric: its name, or its Japanese word. */
function toMetric(cell: BlockCell, metric: string, readText: ReadText): Given {
  const text = cell.metricCell === null ? "" : readText(cell.metricCell);
  const read = toEnglish("metric", text);
  const isLabel = !text.includes(",") && typeof read === "string" && toName(read) === toName(metric);
  return isLabel && cell.metricCell !== null ? refer(cell.metricCell, cell) : { kind: "text", value: metric };
}
