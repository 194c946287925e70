import type { Fit } from "./comparison";
import type { Evidence, MatchState } from "./types";

/** A company that a written name may mean, with all that speaks for it. */
export interface Points {
  fit: Fit;
  /** Whether it has the very name, but for width, case and white space, or the very code. */
  isVery: boolean;
  /** Whether it writes itself with the written name's unusual kanji. */
  isSpeltSo: boolean;
  evidence: readonly Evidence[];
  /** What the index does not know of it, so that a hint cannot tell it from another company. */
  unknown: readonly Evidence[];
  /** Whether a hint is another company's code, or the legal form is of another kind of company. */
  isContradicted: boolean;
  /** Whether it has the name only together with what stands beside it, which may tell of a place alone. */
  isBeside: boolean;
  /** Whether all that stands beside the name in brackets or behind a dash is the company's own too. */
  isExplained: boolean;
}

/** What evidence is worth, against 1 for the very name. */
const WORTH: Readonly<Record<Evidence, number>> = {
  workbook: 1,
  companyId: 1,
  ticker: 0.12,
  registrationNumber: 0.12,
  website: 0.1,
  city: 0.04,
  industry: 0.03,
  legalForm: 0.03,
};
const SPELT_SO = 0.02;
const CONTRADICTED = -0.15;
const UNEXPLAINED = -0.05;

const sum = (evidence: readonly Evidence[]) => [...new Set(evidence)].reduce((all, each) => all + WORTH[each], 0);

/** What speaks for a company in all, by which candidates are ranked. */
export const weighPoints = (points: Points): number =>
  points.fit.score + sum(points.evidence) + (points.isSpeltSo ? SPELT_SO : 0) + weighDoubts(points);

const weighDoubts = ({ isContradicted, isExplained }: Points): number =>
  (isContradicted ? CONTRADICTED : 0) + (isExplained ? 0 : UNEXPLAINED);

/** Calibrated on synthetic names: at least so alike a name must be, */
const SURE = 0.89;
/** or so alike with a city or industry, a website, or a code that is the company's. */
const SURE_SUPPORTED = 0.84;
const SURE_BY_WEBSITE = 0.7;
const SURE_BY_CODE = 0.55;
/** and so far ahead of the next company. */
const AHEAD = 0.025;
/** Less is no match. */
const LEAST = 0.6;
/** Companies that differ by less fit alike. */
const ALIKE = 0.006;

export const isAlike = (best: Points, other: Points): boolean => weighPoints(best) - weighPoints(other) < ALIKE;

/** @param all companies by their points, best first */
export function decide(all: readonly Points[]): MatchState {
  const [best, ...others] = all;
  if (best === undefined || toScore({ ...best, isContradicted: false }) < LEAST) return "none";
  const isAhead = others.every((other) => weighLead(best, other) >= AHEAD && !isNamedInstead(other, best));
  if (!isAhead || best.isContradicted || best.isBeside || !best.isExplained || best.fit.score < toLeast(best))
    return "doubtful";
  return best.isVery && !others.some(({ isVery }) => isVery) ? "exact" : "sure";
}

/** Whether a hint names another company, however unlike its name is. */
const isNamedInstead = ({ evidence }: Points, best: Points): boolean =>
  STRONG.some((each) => evidence.includes(each) && !best.evidence.includes(each));

const STRONG = ["companyId", "ticker", "registrationNumber", "website"] as const satisfies readonly Evidence[];

/** How far a company is ahead of another, but for what may be true of both. */
function weighLead(best: Points, other: Points): number {
  const untold = best.evidence.filter((each) => other.unknown.includes(each));
  return weighPoints(best) - weighPoints(other) - sum(untold);
}

/** The least fit with which a company is sure. */
function toLeast({ fit, evidence }: Points): number {
  const has = (...kinds: Evidence[]) => kinds.some((kind) => evidence.includes(kind));
  if (has("companyId", "ticker", "registrationNumber")) return SURE_BY_CODE;
  if (has("website")) return SURE_BY_WEBSITE;
  if (!fit.isWhole) return Number.POSITIVE_INFINITY;
  return has("city", "industry") ? SURE_SUPPORTED : SURE;
}

/** The score as it is shown, 0 to 1 in hundredths: evidence fills up a part of what the name lacks. */
export function toScore(points: Points): number {
  const { score } = points.fit;
  const evidence = points.evidence.filter((each) => each !== "legalForm");
  const filled = score + (1 - score) * score * Math.min(1, sum(evidence) * 6);
  return Math.round(Math.max(0, Math.min(1, filled + weighDoubts(points))) * 100) / 100;
}
