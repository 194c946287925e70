import { ERRORS, type FeedCode } from "../../src/client/errors";
import type { Shown } from "../office/custom-functions";
import type { Expected } from "./formulas";
import { readEdition, toNumber } from "./truth";

/** Which of the provider's editions a number may be of. */
export interface Editions {
  from: number;
  to: number;
}

/** An error, and what its sentence says. */
const SENTENCE = /^(#N\/A|#VALUE!) (FEED_[A-Z_]+): ..+$/s;

/** The code of an error as cells show them; null for anything else. */
export function readCode(shown: unknown): FeedCode | null {
  const [, cell, code = ""] = SENTENCE.exec(String(shown)) ?? [];
  if (!(code in ERRORS) || code === "FEED_INTERNAL") return null;
  return ERRORS[code as FeedCode].cell === cell ? (code as FeedCode) : null;
}

/** Whether a cell shows what is expected; before the end an error that may pass does as well. */
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
 * Judges what a formula shows; null where nothing is to be said against it.
 *
 * @param isEnd whether it must be all that there is; before that a list may grow, and an error may pass
 * @param rowsOfCompany how many rows a company has, whose failure has a single one
 */
export function judge(
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

/** Formulas that show an answer only when it is whole, so that what they have shown no failure takes away. */
const WHOLE: readonly string[] = ["FINANCIAL", "FINANCIALS", "COMPANY", "CLASSIFICATION"];

/** Whether an error stands where there was a number before: a failed refresh must keep it. */
export const hasLost = (name: string, before: Shown | null, shown: Shown): boolean =>
  WHOLE.includes(name) &&
  before?.length === shown.length &&
  shown.some((row, r) => row.some((cell, c) => readCode(cell) !== null && typeof before[r]?.[c] === "number"));
