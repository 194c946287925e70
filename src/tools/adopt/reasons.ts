import type { FinancialYear } from "../../feed/decode";
import { type Candidate, toBases, toCandidates } from "../../feed/financials/metrics";
import { isMeant, toName } from "../../feed/financials/names";
import { pickVersions } from "../../feed/financials/periods";
import type { BlockCell } from "./block";
import { compare } from "./cell-texts";
import { type Figures, type Hypothesis, yearOf } from "./proposals";

/** Why a typed number may differ from the provider's figure. */
export type Reason =
  /** Another consolidation of the same year equals it. */
  | { kind: "basis"; basis: string }
  /** Another version of the same year equals it. */
  | { kind: "version"; version: string }
  /** The figure of another fiscal year equals it. */
  | { kind: "year"; year: number }
  | { kind: "sign" }
  /** So many times the figure. */
  | { kind: "unit"; factor: number }
  /** Two digits stand in each other's place, or one digit is another. */
  | { kind: "digits"; isSwapped: boolean }
  | { kind: "unknown" };

interface Differing {
  cell: BlockCell;
  hypothesis: Hypothesis;
  decimals: number;
  figures: Figures;
}

/** Finds the likeliest reason why a typed number differs. */
export function findReason(differing: Differing): Reason {
  const { cell, hypothesis, decimals, figures } = differing;
  const { unit, sign } = hypothesis;
  const year = yearOf(cell, hypothesis);
  const own = year === null ? null : figures.find(cell.company, year, hypothesis);
  if (year === null || own === null) return { kind: "unknown" };
  const isEqual = (figure: number | null) =>
    figure !== null && figure !== 0 && compare(cell.typed, (sign * figure) / unit, decimals) !== "differs";
  const other = findOtherVersion(differing, year, isEqual);
  if (other !== null) return other;
  const near = [year - 1, year + 1].find((each) => isEqual(figures.find(cell.company, each, hypothesis)));
  if (near !== undefined) return { kind: "year", year: near };
  if (isEqual(-own)) return { kind: "sign" };
  const factor = FACTORS.find((each) => isEqual(own * each));
  if (factor !== undefined) return { kind: "unit", factor };
  return readDigits(cell.typed, (sign * own) / unit, decimals) ?? { kind: "unknown" };
}

const FACTORS = [1e3, 1e-3, 1e6, 1e-6, 100, 0.01, 10, 0.1];

/** Finds another version of the year, or another consolidation of the same version, that equals the number. */
function findOtherVersion(
  { cell, hypothesis, figures }: Differing,
  year: number,
  isEqual: (figure: number | null) => boolean,
): Reason | null {
  const answer = figures.answers[cell.company];
  if (!answer) return null;
  const annual = pickVersions(answer, year, []);
  const wanted = toName(hypothesis.metric);
  const all = toCandidates(
    answer.years.filter((version) => version.year === year),
    (name, statementType) => isMeant(name, statementType, wanted),
  ).filter(({ value }) => typeof value === "number" && isEqual(value));
  const basis = all.find((candidate) => annual.includes(candidate.year));
  const own = figures.find(cell.company, year, hypothesis);
  if (basis !== undefined && annual.length === 1 && basis.value !== own)
    return { kind: "basis", basis: basis.consolidationType };
  const [version] = all.filter(({ value }) => value !== own);
  return version === undefined ? null : { kind: "version", version: toVersionText(version, annual) };
}

/** The texts of a version that the annual one lacks; its period where it has no other. */
function toVersionText(version: Candidate, annual: readonly FinancialYear[]): string {
  const known = annual.flatMap(({ fields }) => [fields.period, fields.periodType, fields.financialType]);
  const texts = toBases(version).slice(1);
  const telling = texts.filter((text) => !known.includes(text));
  return (telling.length > 0 ? telling : texts).join(", ");
}

const FEWEST_DIGITS = 3;

/** Compares the digits of two numbers: two neighbours exchanged, or one digit changed, missing or too many. */
function readDigits(typed: number, figure: number, decimals: number): Reason | null {
  if (Math.sign(typed) !== Math.sign(figure)) return null;
  const [one, other] = [typed, figure].map((number) => String(Math.round(Math.abs(number) * 10 ** decimals)));
  if (one === undefined || other === undefined || Math.min(one.length, other.length) < FEWEST_DIGITS) return null;
  if (one.length !== other.length) {
    const [short, long] = one.length < other.length ? [one, other] : [other, one];
    const isOneMore = [...long].some((_, at) => long.slice(0, at) + long.slice(at + 1) === short);
    return isOneMore ? { kind: "digits", isSwapped: false } : null;
  }
  const places = [...one].flatMap((digit, at) => (digit === other[at] ? [] : [at]));
  if (places.length === 1) return { kind: "digits", isSwapped: false };
  const [first = 0, second = 0] = places;
  const isSwapped =
    places.length === 2 && second === first + 1 && one[first] === other[second] && one[second] === other[first];
  return isSwapped ? { kind: "digits", isSwapped: true } : null;
}
