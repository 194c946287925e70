import type { NameToMatch } from "../feed/matching";
import type { NamedCompany } from "../feed/resolutions";
import type { Session } from "../session/session";
import { tryToStore } from "./file-store";
import type { ChosenCompany } from "./pane";

/** Makes a name mean a company in this workbook, and has the formulas with that name read again. */
export function nameCompany({ feed }: Pick<Session, "feed">, named: NamedCompany, { id, name }: ChosenCompany): void {
  feed.resolutions.record({ name: named.name, country: named.country, companyId: id, companyName: name });
  void tryToStore();
  restartNamed(feed, [named]);
  feed.queryCache.renew(["matchNames"]);
}

/** Takes back what a name means in this workbook; its formulas then read it by the index. */
export function forgetName({ feed }: Pick<Session, "feed">, named: NamedCompany): void {
  feed.resolutions.forget(named);
  void tryToStore();
  restartNamed(feed, [named]);
  feed.queryCache.renew(["matchNames"]);
}

/** Has the formulas that name companies by these names read again. */
export function restartNamed({ queryCache }: Session["feed"], named: readonly NamedCompany[]): void {
  const changed = new Set(named.map(toKey));
  queryCache.restart((key) => {
    const own = readNamed(key);
    return own !== null && changed.has(toKey(own));
  });
}

const toKey = ({ name, country }: NamedCompany) => `${country} ${name}`;

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
