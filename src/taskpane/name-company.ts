import type { NamedCompany } from "../feed/resolutions";
import type { Session } from "../session/session";
import type { ChosenCompany } from "./pane";

/** Makes a name mean a company in this workbook, and has the formulas with that name read again. */
export function nameCompany({ feed }: Pick<Session, "feed">, named: NamedCompany, { id, name }: ChosenCompany): void {
  feed.resolutions.record({ name: named.name, country: named.country, companyId: id, companyName: name });
  for (const { key } of feed.queryCache.live()) {
    const own = readNamed(key);
    if (own?.name === named.name && own.country === named.country) feed.queryCache.renew(key);
  }
}

/** The company of a query that is written by name; null where it is not. */
export function readNamed([kind, company, text, wanted]: readonly unknown[]): NamedCompany | null {
  const isId = kind === "findNames" && wanted === "id";
  const { name, country } = (isId ? { name: text, country: company } : Object(company)) as Partial<NamedCompany>;
  return typeof name === "string" && typeof country === "string" ? { name, country } : null;
}
