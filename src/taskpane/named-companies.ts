import type { NameToMatch } from "../feed/names";
import type { NamedCompany, Resolution, Resolutions } from "../feed/resolutions";
import type { Session } from "../session/session";
import { merge, readStored, storeLater, tryToStore } from "./file-store";
import type { ChosenCompany } from "./pane";

/** One name for all of them, beside the settings: other add-ins share the place. */
const STORED_AS = "feed-companies";

/** Excel stores 2 MB of an add-in in a workbook; the oldest give way. */
const MOST_STORED = 5_000;

const FIELDS = ["name", "country", "companyId", "companyName"] as const;

const toKey = ({ name, country }: NamedCompany) => `${country} ${name}`;

/** Reads what the names in the workbook's formulas mean; an invalid entry is ignored. */
export const readPersistedResolutions = (): Resolution[] => toResolutions(readStored(STORED_AS));

function toResolutions(stored: unknown): Resolution[] {
  if (!Array.isArray(stored)) return [];
  return stored.filter((each): each is Resolution => FIELDS.every((field) => typeof each?.[field] === "string"));
}

/** Adopts what other people have decided on names, beside what this page has found since; their formulas are read again. */
export function adoptOthers(
  feed: Pick<Session["feed"], "resolutions" | "queryCache">,
  before: (name: string) => unknown,
): void {
  const { resolutions } = feed;
  const own = resolutions.list().map(toStored);
  resolutions.adopt(toResolutions(merge(before(STORED_AS), readStored(STORED_AS), own)));
  const both = [own, resolutions.list().map(toStored)];
  const [were, are] = both.map((list) => new Set(list.map((each) => JSON.stringify(each))));
  const isOther = (each: Resolution) => were?.has(JSON.stringify(each)) !== are?.has(JSON.stringify(each));
  restartNamed(feed, both.flat().filter(isOther));
}

/** Stores what names mean in the workbook, with the next decision: until then the index gives their companies again. */
export function persistResolutions({ onChange, list }: Resolutions): void {
  onChange(() => storeLater(STORED_AS, () => list().slice(-MOST_STORED).map(toStored)));
}

const toStored = ({ name, country, companyId, companyName, family }: Resolution): Resolution => ({
  name,
  country,
  companyId,
  companyName,
  ...(family !== undefined && { family }),
});

/** What a person decides that a name means: an empty id for no company; null takes the decision back. */
export type NameDecision = readonly [NamedCompany, ChosenCompany | null];

/** Stores decisions on names in this workbook, and has the formulas with those names read again. */
export function decideNames(
  feed: Pick<Session["feed"], "resolutions" | "queryCache">,
  decisions: readonly NameDecision[],
): void {
  const names = decisions.map(([named]) => named);
  const made = decisions.flatMap(([{ name, country }, company]): Resolution[] =>
    company === null ? [] : [{ name, country, companyId: company.id, companyName: company.name }],
  );
  const decided = new Set(names.map(toKey));
  const isOther = (each: NamedCompany) => !decided.has(toKey(each));
  // Before the names of this page change: what waits counts less than another person's decision.
  void tryToStore([STORED_AS, (stored) => [...toResolutions(stored).filter(isOther), ...made]]);
  for (const [named, company] of decisions) if (company === null) feed.resolutions.forget(named);
  for (const resolution of made) feed.resolutions.record(resolution);
  restartNamed(feed, names);
}

/** Makes a name mean a company in this workbook; null has its formulas read it by the index again. */
export function nameCompany({ feed }: Pick<Session, "feed">, named: NamedCompany, company: ChosenCompany | null): void {
  decideNames(feed, [[named, company]]);
  feed.queryCache.renew(["matchNames"]);
}

/** Has the formulas that name companies by these names read again. */
function restartNamed({ queryCache }: Pick<Session["feed"], "queryCache">, named: readonly NamedCompany[]): void {
  const changed = new Set(named.map(toKey));
  queryCache.restart((key) => {
    const own = readNamed(key);
    return own !== null && changed.has(toKey(own));
  });
}

function isOf(key: readonly unknown[], named: NamedCompany): boolean {
  if (key[0] === "matchNames") return hasName(key, named);
  const own = readNamed(key);
  return own?.name === named.name && own.country === named.country;
}

/** Whether a list of names has one of this name, in this country. */
const hasName = ([, country, , names]: readonly unknown[], named: NamedCompany): boolean =>
  country === named.country && (names as readonly NameToMatch[]).some(({ name }) => name.trim() === named.name);

/** The company of a query that is written by name; null where it is not. */
export function readNamed([kind, company, text, wanted]: readonly unknown[]): NamedCompany | null {
  const isId = kind === "findNames" && wanted === "id";
  const { name, country } = (isId ? { name: text, country: company } : Object(company)) as Partial<NamedCompany>;
  return typeof name === "string" && typeof country === "string" ? { name, country } : null;
}

/** Whether all formulas with a name want figures, which only private-market companies have. */
export function wantsFigures({ feed }: Pick<Session, "feed">, named: NamedCompany): boolean {
  const kinds = feed.queryCache.live().flatMap(({ key }) => (isOf(key, named) ? [key[0]] : []));
  return kinds.length > 0 && kinds.every((kind) => kind === "financials");
}
