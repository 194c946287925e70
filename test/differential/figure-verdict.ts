import type { CellError, CellOutcome } from "../office/deliveries";
import { toCompanyId } from "./addresses";
import type { Expected, FigureQuery } from "./figure-queries";
import { type Judgement, toCode } from "./list-verdict";
import { readNumber, toNumber } from "./numbers";
import { METRICS, YEARS } from "./statements";

/** The editions a figure may belong to. */
interface FigureWindow {
  from: number;
  to: number;
  /** Whether the companies exist by now. */
  isThere: boolean;
}

const DENIALS = ["FEED_NO_VALUE", "FEED_NOT_FOUND"];

export function compareFigures(query: FigureQuery, shown: CellOutcome | undefined, window: FigureWindow): Judgement[] {
  const { cells, isTable } = query;
  const count = cells.flat().length;
  if (shown === undefined) return [{ verdict: "flagged", count, code: "BUSY" }];
  if ("error" in shown) return cells.flat().map((expected) => compareCell(query, expected, shown, window));
  const rows = Array.isArray(shown.value) ? (shown.value as unknown[][]) : [[shown.value]];
  return isTable ? compareTable(query, rows, window) : compareGrid(query, rows, window);
}

function compareGrid(query: FigureQuery, rows: unknown[][], window: FigureWindow): Judgement[] {
  const { cells } = query;
  return cells.flatMap((expected, row) =>
    expected.map((cell, column) => compareCell(query, cell, rows[row]?.[column], window)),
  );
}

/** A missing row shows no figures; a row marked as an interim period is none of a year. */
function compareTable(query: FigureQuery, rows: unknown[][], window: FigureWindow): Judgement[] {
  const { cells, figures } = query;
  const [header = [], ...body] = rows;
  const at = (name: string) => header.indexOf(name);
  const isAnnual = (row: unknown[]) => at("Period type") < 0 || row[at("Period type")] === "ANNUAL";
  const failed = body.filter((row) => row.slice(1).every((cell) => isError(cell)));
  return cells.flatMap((expected, place) => {
    const [entity, year] = [expected[0]!.entity, YEARS[place % YEARS.length]];
    const id = toCompanyId(figures.set, entity).toLowerCase();
    const own = (row: unknown[]) => String(row[at("Company")]).toLowerCase() === id;
    const found = body.filter((row) => own(row) && row[at("Year")] === year && isAnnual(row));
    const failure = failed.find(own)?.[1];
    return expected.flatMap((cell, metric): Judgement[] => {
      const column = at(METRICS[metric]!.name);
      if (found.length === 0) return [compareCell(query, cell, failure ?? "", window)];
      return found.map((row) => compareCell(query, cell, row[column] ?? "", window));
    });
  });
}

const isError = (cell: unknown): cell is CellError => typeof cell === "object" && cell !== null && "error" in cell;

function compareCell({ figures }: FigureQuery, expected: Expected, shown: unknown, window: FigureWindow): Judgement {
  const { entity, figure } = expected;
  const says = (verdict: Judgement["verdict"], rest: Partial<Judgement> = {}): Judgement => ({
    verdict,
    count: 1,
    ...rest,
  });
  const because = () =>
    `company ${entity} shows ${toText(shown)} for ${toText(figure)} of editions ${window.from} to ${window.to}`;
  const isNothing = typeof figure === "string";
  if (isError(shown)) {
    if (isNothing || !window.isThere) return says("right");
    const code = toCode(shown.error.message);
    return says(DENIALS.includes(code) ? "denied" : "flagged", {
      code,
      because: `${shown.error.message}; ${because()}`,
    });
  }
  if (isNothing || !window.isThere) return says(shown === "" ? "right" : "wrong", { because: because() });
  if ("text" in figure) return says(shown === figure.text ? "right" : "wrong", { because: because() });
  if (typeof shown !== "number") return says("wrong", { because: because() });
  const { edition } = readNumber(shown);
  const amount = toNumber({ set: figures.set, entity, slot: figure.slot, edition });
  const isOther = shown !== (figure.isNegative ? -amount : amount);
  if (isOther || edition > window.to) return says("wrong", { because: because() });
  return edition >= window.from ? says("right") : says("stale", { because: because() });
}

function toText(shown: unknown): string {
  return typeof shown === "number" ? `${shown} (${JSON.stringify(readNumber(shown))})` : JSON.stringify(shown);
}
