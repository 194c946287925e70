import { isReference, tokenize } from "@borgar/fx";
import type { Financials } from "../feed/decode";
import { toFigureFacts } from "../feed/financials/metrics";
import type { State } from "../feed/query-cache";
import type { Call } from "../session/calls";
import type { Session } from "../session/session";
import {
  type CalculationOptions,
  calculate,
  type FeedResult,
  type Formulas,
  UNREADABLE,
  type WorkbookCells,
} from "./engine";
import type { Facts, QueryResult } from "./query-output";
import { toAsOf, toShown } from "./report";

/** The result of a formula; days and moments are texts, ISO 8601. */
export interface FormulaResult extends Omit<QueryResult, "facts"> {
  /** The session's calls that it made. */
  readonly calls: readonly Call[];
}

/**
 * Calculates formulas, each as if it stood alone on a sheet, and gives their results in the same order.
 *
 * @param formulas without "="
 * @throws the reason of an aborted signal
 */
export async function calculateFormulas(
  formulas: readonly string[],
  host: Formulas & { session: Session },
  options: Pick<CalculationOptions, "signal"> = {},
): Promise<FormulaResult[]> {
  const { feed } = await calculate(toCells(formulas), host, options);
  const bySheet = new Map(feed.map((result) => [result.sheet, result]));
  return formulas.map((formula, nth) => toResult(formula, bySheet.get(String(nth + 1)), host.session));
}

/** A workbook with each formula on a sheet of its own, where nothing is in a table's way. */
function toCells(formulas: readonly string[]): WorkbookCells {
  const array = { rows: 1, columns: 1, isDynamic: true };
  const cells = formulas.map((formula, nth) => {
    return [String(nth + 1), hasCells(formula) ? [] : [{ row: 0, column: 0, value: null, formula, array }]] as const;
  });
  return {
    cells: new Map(cells),
    merged: new Map(),
    workbook: {
      sheets: cells.map(([name]) => ({ name, path: "" })),
      ...{ isDate1904: false, names: [], tables: [], isSigned: false, path: "", strings: [] },
      dynamicArrays: new Set(),
    },
  };
}

const NO_FORMULA = {
  ...UNREADABLE,
  sentence: `the formula cannot be read, or none of FEED is in it, such as FEED.RANKING("2024-01",,20)`,
};
const NO_CELLS = { ...UNREADABLE, sentence: "there are no cells here to refer to; write their values in their place" };

const hasCells = (formula: string): boolean =>
  tokenize(formula).some((token) => isReference(token) && token.type !== "range_named");

function toResult(typed: string, found: FeedResult | undefined, session: Session): FormulaResult {
  const formula = `=${typed}`;
  const nothing = { formula, rows: [], asOf: null, calls: found?.calls ?? [] };
  if (found === undefined) return { ...nothing, error: hasCells(typed) ? NO_CELLS : NO_FORMULA };
  const { after, calls, failure, isOld } = found;
  if (isOld) return { ...nothing, error: failure === UNREADABLE ? NO_FORMULA : failure };
  const [only] = after.length === 1 && after[0]?.length === 1 ? after[0] : [];
  const isError = typeof only === "object" && only !== null;
  const error = isError ? (failure ?? { code: only.error, sentence: "the result is an error" }) : null;
  return { formula, rows: toDays(after, calls, session), error, asOf: toAsOf(calls, session.feed).oldest, calls };
}

/** Shows the days of a single call's table as texts, as Excel does by their formats. */
function toDays(rows: QueryResult["rows"], calls: readonly Call[], { settings }: Session): QueryResult["rows"] {
  const [shown] = calls.length === 1 ? calls.map((call) => call.shown) : [];
  if (!Array.isArray(shown)) return rows;
  return rows.map((row, r) =>
    row.map((value, c) => {
      const { basicValue, numberFormat } = Object(shown[r]?.[c]) as { basicValue?: unknown; numberFormat?: string };
      const isDay = numberFormat?.startsWith("yyyy") && basicValue === value;
      return isDay ? (toShown(value, numberFormat ?? null, settings.dateSystem) as string) : value;
    }),
  );
}

/** Tells what is known of the figure in a cell; null for a cell that has none. */
export type FindFacts = (row: number, column: number) => Facts | null;

/**
 * Gives what tells about the figures that a single call shows as they are. A formula around the call may have made others
 * of them.
 */
export function createFindFacts({ rows, calls }: FormulaResult, { queryCache }: Session["feed"]): FindFacts {
  const [call, ...others] = calls;
  if (call === undefined || others.length > 0) return () => null;
  const shown: readonly (readonly unknown[])[] = Array.isArray(call.shown) ? call.shown : [[call.shown]];
  const findOrigin = call.readOrigins();
  const timesMs = new Map(call.queries.map(queryCache.peek).flatMap(listYears));
  return (row, column) => {
    const own = shown[row]?.[column];
    const { places } = findOrigin(row, column);
    if (places.length === 0 || (Object(own).basicValue ?? own) !== rows[row]?.[column]) return null;
    const asOfMs = Math.min(...places.flatMap(({ year }) => timesMs.get(year) ?? []));
    return {
      ...{ ...toFigureFacts(places), year: places[0]?.year.year ?? null, unit: call.given.unit ?? null },
      asOf: Number.isFinite(asOfMs) ? new Date(asOfMs).toISOString() : null,
    };
  };
}

/** The years of an answer with financials, each with when the provider gave it. */
function listYears(state: State<unknown>): [year: unknown, asOfMs: number][] {
  if (state.status !== "answered") return [];
  const { value, asOfMs } = state.answer;
  return ((value as Partial<Financials>).years ?? []).map((year) => [year, asOfMs]);
}
