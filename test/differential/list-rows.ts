import { toCompanyId, toCountry, toName, toNode, toRegistration } from "./addresses";
import type { ListEditions } from "./list-editions";
import { toNumber } from "./numbers";
import slots from "./slots.json";

/** Which number of an entity; a page type's views and unique views follow each other. */
export const SLOT = slots;

export type Slot = keyof typeof SLOT;

/** Some companies have no ticker, and a few share a name. */
export const toTicker = (entity: number): string | null => (entity % 31 === 30 ? null : String(10_000 + entity));
export const toRankedName = (set: number, entity: number): string =>
  toName(set, entity % 40 === 39 ? entity - 1 : entity);

/** Every fifth company has a null page type, which means no views. */
export const hasNews = (entity: number): boolean => entity % 5 !== 0;

type WriteNumber = (slot: Slot) => number;

/** Writes an entity's row in the API's form for an edition. */
export function writeRow(list: ListEditions, entity: number, edition: number): object {
  const stamp = list.stampOf(entity, edition);
  const write: WriteNumber = (slot) => toNumber({ set: list.set, entity, slot: SLOT[slot], edition: stamp });
  if (list.kind === "companies") return writeRanked(list.set, entity, write);
  if (list.kind === "pages") return { ...writeRanked(list.set, entity, write), pages: writePages(entity, write) };
  if (list.kind === "industries") return writeIndustry(list.set, entity, write);
  if (list.kind === "private") return writeCompany(list.set, entity, write("employees"));
  return writeClassified(list.set, entity, write);
}

const writeRanked = (set: number, entity: number, write: WriteNumber) => ({
  companyName: toRankedName(set, entity),
  tickerSymbol: toTicker(entity),
  headquarters: "Tokyo",
  totalPageViews: write("views"),
  totalUniquePageViews: write("unique"),
  engagementTime: entity % 3 === 0 ? null : { avg: write("engagement"), min: null, max: null },
});

const writePages = (entity: number, write: WriteNumber) => ({
  NEWS: hasNews(entity)
    ? { totalPageViews: write("newsViews"), totalUniquePageViews: write("newsUnique"), engagementTime: null }
    : null,
  OVERVIEW: null,
});

const writeIndustry = (set: number, entity: number, write: WriteNumber) => ({
  industryId: `I${set}-${entity}`,
  industryName: toName(set, entity),
  industryDescription: "An industry",
  sectorName: "Sector",
  subSectorName: "Sub-sector",
  totalPageViews: write("views"),
  totalUniquePageViews: write("unique"),
});

export const writeCompany = (set: number, entity: number, employeeCount: number) => ({
  id: toCompanyId(set, entity),
  registrationNumber: toRegistration(set, entity),
  companyName: toName(set, entity),
  registeredAddress: { line1: "1-1", city: "City", country: toCountry(set) },
  employees: { employeeCountType: "REPORTED", nonConsolidated: { employeeCount }, consolidated: null },
});

function writeClassified(set: number, entity: number, write: WriteNumber) {
  const node = { sectorId: `SEC${set}`, subSectorId: `SUB${set}`, industryId: `IND${set}` };
  const names = { sectorName: toNode(set), subSectorName: toNode(set), industryName: toNode(set) };
  const mark = { isPrimaryIndustry: true, analystMapped: true, score: write("score") };
  return {
    companyId: toCompanyId(set, entity),
    companyFormalName: toName(set, entity),
    companyEnglishName: toName(set, entity),
    countryCode: toCountry(set),
    tickerSymbol: null,
    isPublic: false,
    isActive: true,
    taxonomy: [{ ...node, ...names, ...mark }],
  };
}
