import { ERRORS, type FeedCode } from "../../src/client/errors";
import type { Shown } from "../office/custom-functions";
import type { Expected } from "./formulas";
import { readEdition, toNumber } from "./truth";

interface Editions {
  from: number;
  to: number;
}

const SENTENCE = /^(#N\/A|#VALUE!) (FEED_[A-Z_]+): ..+$/s;

/** The code of a cell's error; null for anything else. */
export function readCode(shown: unknown): FeedCode | null {
  const [, cell, code = ""] = SENTENCE.exec(String(shown)) ?? [];
  if (!(code in ERRORS) || code === "FEED_INTERNAL") return null;
  return ERRORS[code as FeedCode].cell === cell ? (code as FeedCode) : null;
}

/** Whether a cell matches its expectation; before the end a passing error is accepted. */
function isRight(shown: unknown, expected: Expected | undefined, { from, to }: Editions, isEnd: boolean): boolean {
  if (expected === undefined) return false;
  if (!isEnd && readCode(shown) !== null) return true;
  if (typeof expected !== "object") return shown === expected;
  if ("code" in expected) return readCode(shown) === expected.code;
  if (typeof shown !== "number") return false;
  const edition = readEdition(shown);
  return shown === toNumber(expected, edition) && edition >= from && edition <= to;
}

/**
 * Judges a formula's result; null if it is right.
 * @param isEnd Whether it must be complete; before that a list may grow, and an error may pass.
 * @param rowsOfCompany Rows per company; a failed one has a single row.
 */
export function verify(
  shown: Shown,
  expected: Expected[][],
  editions: Editions,
  isEnd: boolean,
  rowsOfCompany = 1,
): string | null {
  const [only] = shown[0] ?? [];
  const isSingle = shown.length === 1 && shown[0]?.length === 1;
  if (!isEnd && isSingle && readCode(only) !== null) return null;
  let at = 0;
  for (const row of shown) {
    const wanted = expected[at] ?? [];
    const wrong = row.findIndex((cell, column) => !isRight(cell, wanted[column], editions, isEnd));
    if (wrong >= 0 || row.length !== wanted.length) {
      const [is, shouldBe] = [row[wrong] ?? row, wanted[wrong] ?? wanted];
      return `row ${at + 1} shows ${JSON.stringify(is)} instead of ${JSON.stringify(shouldBe)} of editions ${editions.from} to ${editions.to}`;
    }
    at += row.slice(1).every((cell) => readCode(cell) !== null) && row.length > 1 ? rowsOfCompany : 1;
  }
  return isEnd && at < expected.length ? `${at} rows instead of ${expected.length}` : null;
}

/** Formulas that show complete answers alone, so that no failure removes their result. */
const WHOLE: readonly string[] = ["FINANCIAL", "FINANCIALS", "COMPANY", "CLASSIFICATION"];

/** Whether an error replaced a number: a failed refresh must keep it. */
export const hasLost = (name: string, before: Shown | null, shown: Shown): boolean =>
  WHOLE.includes(name) &&
  before?.length === shown.length &&
  shown.some((row, r) => row.some((cell, c) => readCode(cell) !== null && typeof before[r]?.[c] === "number"));
