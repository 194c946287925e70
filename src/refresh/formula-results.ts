import { toFigureFacts } from "../feed/financials/metrics";
import type { Call } from "../session/calls";
import type { Session } from "../session/session";
import { type CalculationOptions, calculate, type FeedResult, type Formulas, type WorkbookCells } from "./engine";
import type { QueryResult } from "./query-output";
import { toAsOf } from "./report";

/** The result of a formula, with the session's calls that it made. */
export interface FormulaResult extends QueryResult {
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
  options: Pick<CalculationOptions, "signal" | "onProgress"> = {},
): Promise<FormulaResult[]> {
  const { feed } = await calculate(toCells(formulas), host, options);
  const bySheet = new Map(feed.map((result) => [result.sheet, result]));
  return formulas.map((formula, nth) => toResult(formula, bySheet.get(String(nth + 1)), host.session));
}

/** A workbook with each formula on a sheet of its own, where nothing is in a table's way. */
function toCells(formulas: readonly string[]): WorkbookCells {
  const array = { rows: 1, columns: 1, isDynamic: true };
  const cells = formulas.map((formula, nth) => {
    return [String(nth + 1), [{ row: 0, column: 0, value: null, formula, array }]] as const;
  });
  return {
    cells: new Map(cells),
    workbook: {
      sheets: cells.map(([name]) => ({ name, path: "" })),
      ...{ isDate1904: false, names: [], tables: [], isSigned: false, path: "", strings: [] },
      dynamicArrays: new Set(),
    },
  };
}

const UNREADABLE = {
  code: "FEED_UNREADABLE",
  sentence: `the formula cannot be read, or none of FEED is in it, such as FEED.RANKING("2024-01",,20)`,
};

function toResult(typed: string, found: FeedResult | undefined, session: Session): FormulaResult {
  const formula = `=${typed}`;
  const nothing = { formula, rows: [], facts: null, asOf: null, calls: found?.calls ?? [] };
  if (found === undefined) return { ...nothing, error: UNREADABLE };
  const { after, calls, message } = found;
  if (!Array.isArray(after)) {
    const isUnreadable = after.error === UNREADABLE.code;
    return { ...nothing, error: isUnreadable ? UNREADABLE : { code: after.error, sentence: after.sentence } };
  }
  const [only] = after.length === 1 && after[0]?.length === 1 ? after[0] : [];
  const error = typeof only === "object" && only !== null ? toError(only.error, message) : null;
  return { formula, rows: after, error, facts: toFacts(after, calls), asOf: toAsOf(calls, session.feed).oldest, calls };
}

/** A sentence of a formula begins with its code, as in a cell's error. */
function toError(value: string, message = ""): NonNullable<QueryResult["error"]> {
  const [, code = value, sentence = message || "the result is an error"] = /^(FEED_\w+): (.*)$/s.exec(message) ?? [];
  return { code, sentence };
}

/** What is known of figures that a single call shows as they are; a formula around them may have made others of them. */
function toFacts(rows: FeedResult["before"], calls: readonly Call[]): QueryResult["facts"] {
  const [call, ...others] = calls;
  if (call === undefined || others.length > 0) return null;
  const shown: readonly (readonly unknown[])[] = Array.isArray(call.shown) ? call.shown : [[call.shown]];
  const unit = call.given.unit ?? null;
  const findOrigin = call.readOrigins();
  const facts = rows.map((row, r) =>
    row.map((value, c) => {
      const { places } = findOrigin(r, c);
      if (places.length === 0 || shown[r]?.[c] !== value) return null;
      return { ...toFigureFacts(places), year: places[0]?.year.year ?? null, unit };
    }),
  );
  return facts.some((row) => row.some((each) => each !== null)) ? facts : null;
}
