import { toCompanyKey } from "../../client/ids";
import { readText } from "../../feed/decode";
import type { MatchCandidate, NameMatch } from "../../feed/names";
import { type FoundCompany, readFound } from "../../taskpane/company-search";
import type { ChosenCompany } from "../../taskpane/pane";
import type { Decision } from "./decisions";
import type { ListedName } from "./names-in-cells";

/** A company that a name may mean, as the pane shows it. */
export interface Candidate extends FoundCompany {
  industry: string | null;
  /** 0 to 1. */
  score: number;
  evidence: MatchCandidate["evidence"];
}

/** A name with its match and the person's decision. */
export interface Item extends ListedName {
  /** Null until it is matched; a name with a decision needs no match. */
  state: NameMatch["state"] | null;
  /** At most five, best first. */
  candidates: readonly Candidate[];
  /** Number of companies that fit as well as the first candidate. */
  alike: number;
  decision: Decision | null;
  /** Whether the first candidate is proposed with all others that are sure. */
  isProposed: boolean;
}

/** The first candidate of a proposed item. */
export const toProposal = ({ candidates }: Item): Candidate => candidates[0] as Candidate;

/**
 * Joins names with their matches and decisions.
 *
 * @param out names whose proposed company the person wants to look at
 */
export function toItems(
  names: readonly ListedName[],
  matches: ReadonlyMap<string, NameMatch>,
  find: (text: string) => Decision | null,
  out: ReadonlySet<string>,
  language: "en" | "ja",
): Item[] {
  return names.map((name) => {
    const match = matches.get(name.text);
    const decision = find(name.text);
    const candidates = (match?.candidates ?? []).flatMap((each) => toCandidate(each, language));
    const isSure = match?.state === "exact" || match?.state === "sure";
    return {
      ...name,
      state: match?.state ?? null,
      candidates,
      alike: match?.alike ?? 0,
      decision,
      isProposed: decision === null && isSure && candidates.length > 0 && !out.has(name.text),
    };
  });
}

function toCandidate({ company, score, evidence }: MatchCandidate, language: "en" | "ja"): Candidate[] {
  const found = readFound(company, language);
  return found === null ? [] : [{ ...found, industry: readText(company.industry), score, evidence }];
}

/** Numbers of names by what is to be done about them. */
export interface Counts {
  /** With a company by decision. */
  decided: number;
  /** Without a company by decision. */
  none: number;
  /** With one company that is proposed. */
  sure: number;
  /** With several companies, or one that is not sure. */
  doubtful: number;
  /** Without a company near. */
  unknown: number;
  /** Not matched yet. */
  unmatched: number;
}

export function toCounts(items: readonly Item[]): Counts {
  const counts: Counts = { decided: 0, none: 0, sure: 0, doubtful: 0, unknown: 0, unmatched: 0 };
  for (const item of items) counts[toKind(item)]++;
  return counts;
}

function toKind({ decision, isProposed, state, candidates }: Item): keyof Counts {
  if (decision !== null) return decision.kind === "none" ? "none" : "decided";
  if (state === null) return "unmatched";
  if (isProposed) return "sure";
  return candidates.length > 0 ? "doubtful" : "unknown";
}

/** Whether a person must decide on a name, one by one. */
export const isOpen = (item: Item): boolean => ["doubtful", "unknown"].includes(toKind(item));

/**
 * Extends the queue of names to decide on one by one: doubtful ones first, then those without a company near. Names that
 * are in it keep their places, so that a person can go back.
 */
export function extendQueue(queue: readonly string[], items: readonly Item[]): readonly string[] {
  const known = new Set(queue);
  const open = items.filter((item) => isOpen(item) && !known.has(item.text));
  if (open.length === 0) return queue;
  const [doubtful, unknown] = [true, false].map((has) => open.filter((item) => item.candidates.length > 0 === has));
  return [...queue, ...[...(doubtful ?? []), ...(unknown ?? [])].map(({ text }) => text)];
}

/** The company that a name has, by decision or as proposed. */
export function toCompany(item: Item): ChosenCompany | null {
  if (item.decision !== null) return item.decision.kind === "company" ? item.decision.company : null;
  return item.isProposed ? toProposal(item) : null;
}

/** Lists names by the company they have, by {@link toCompanyKey}; most companies have one. */
export function indexByCompany(items: readonly Item[]): ReadonlyMap<string, readonly string[]> {
  const index = new Map<string, string[]>();
  for (const item of items) {
    const company = toCompany(item);
    if (company === null) continue;
    const key = toCompanyKey(company.id);
    index.set(key, [...(index.get(key) ?? []), item.text]);
  }
  return index;
}

/** The other names that have a company. */
export const listOthers = (index: ReadonlyMap<string, readonly string[]>, id: string, text: string): string[] =>
  (index.get(toCompanyKey(id)) ?? []).filter((other) => other !== text);
