import type { Chance } from "../support/chance";
import { readCompanyId, readRegistration, toCompanyId, toCountry } from "./addresses";
import type { FigureBehaviour } from "./figure-behaviour";
import { SLOT, writeCompany } from "./list-rows";
import { toNumber } from "./numbers";
import { writeYears } from "./statements";

export interface FigureSet {
  set: number;
  companies: number;
  behaviour: FigureBehaviour;
  edition: number;
  /** Whether companies missing at first exist by now. */
  isThere: boolean;
}

interface Company {
  figures: FigureSet;
  entity: number;
}

type FindSet = (set: number) => FigureSet | undefined;

export interface Answer {
  status: number;
  body: unknown;
  /** How late it comes, milliseconds; default at once. */
  delayMs?: number;
}

export const NOT_FOUND: Answer = { status: 404, body: { message: "not found" } };

export function findCompany(findSet: FindSet, id: string): Company | undefined {
  const read = readCompanyId(id);
  const figures = read && findSet(read.set);
  const isThere = figures !== undefined && read!.entity < figures.companies && isPresent(figures);
  return isThere ? { figures, entity: read!.entity } : undefined;
}

const isPresent = ({ behaviour, isThere }: FigureSet): boolean => !behaviour.isAbsentAtFirst || isThere;

/** All companies with a registration number, in any country. */
const findByNumber = (findSet: FindSet, number: string): Company[] =>
  readRegistration(number).flatMap(({ set, entity }) => findCompany(findSet, toCompanyId(set, entity)) ?? []);

const writeId = ({ figures, entity }: Company): string => {
  const id = toCompanyId(figures.set, entity);
  return figures.behaviour.isUpperCase ? id.toUpperCase() : id;
};

export const writeFinancials = (company: Company, year: number | null) => {
  const { figures, entity } = company;
  const books = { set: figures.set, content: figures.behaviour.content };
  return { companyId: writeId(company), years: writeYears(books, entity, year, figures.edition) };
};

export function writeRecord(company: Company): object {
  const { figures, entity } = company;
  const employees = toNumber({ set: figures.set, entity, slot: SLOT.employees, edition: figures.edition });
  return { ...writeCompany(figures.set, entity, employees), id: writeId(company) };
}

/** GET /companies with an identifier. */
export function answerSearch(findSet: FindSet, identifier: string, country: string): Answer {
  const found = findByNumber(findSet, identifier);
  const loose = found.filter(
    ({ figures, entity }) => figures.behaviour.isSearchLoose && entity + 1 < figures.companies,
  );
  const all = [...loose.map(({ figures, entity }) => ({ figures, entity: entity + 1 })), ...found];
  const data = all.filter(({ figures }) => country === "ALL" || toCountry(figures.set) === country).map(writeRecord);
  return { status: 200, body: { data, page: 1, pageSize: 25, total: data.length } };
}

export interface RequestBody {
  companyIds?: string[];
  identifiers?: string[];
  year?: number | null;
}

/** POST /financials: omits, adds and duplicates elements by each data set, then truncates the answer. */
export function answerMany(findSet: FindSet, body: RequestBody, chance: Chance): Answer {
  const { companyIds = [], identifiers = [], year = null } = body;
  const byId = companyIds.flatMap((id) => findCompany(findSet, id) ?? []);
  const byNumber = identifiers.flatMap((number) => findByNumber(findSet, number));
  const matched = [...new Map([...byId, ...byNumber].map((each) => [writeId(each).toLowerCase(), each])).values()];
  const behaviours = matched.map(({ figures }) => figures.behaviour);
  const named = identifiers.flatMap((number) => giveByNumber(findByNumber(findSet, number)));
  const elements = [
    ...byId.flatMap((company) => writeElements(company, year, chance)),
    ...named.map((company) => writeFinancials(company, year)),
  ];
  // A truncated answer by numbers cannot be detected without a true total.
  const cuts = identifiers.length > 0 ? [] : behaviours.flatMap(({ cut }) => cut ?? []);
  const isDishonest = behaviours.some(({ name }) => name !== "honest");
  const ordered = isDishonest && chance.happens(0.5) ? elements.reverse() : elements;
  const data = cuts.length > 0 ? ordered.slice(0, Math.min(...cuts)) : ordered;
  const pieces = Math.max(elements.length, matched.length);
  const kind = identifiers.length > 0 ? "true" : (behaviours.find(({ total }) => total !== "true")?.total ?? "true");
  const total = { true: pieces, rows: data.length, absent: undefined }[kind];
  return { status: 200, body: { data, page: 1, pageSize: 25, ...(total !== undefined && { total }) } };
}

function giveByNumber(found: readonly Company[]): readonly Company[] {
  const kinds = found.map(({ figures }) => figures.behaviour.byNumber);
  if (kinds.includes("none with a total")) return [];
  return kinds.includes("first of several") ? found.slice(0, 1) : found;
}

function writeElements(company: Company, year: number | null, chance: Chance): object[] {
  const { figures, entity } = company;
  const { drops, foreign, doubles } = figures.behaviour;
  if (chance.happens(drops)) return [];
  const own = writeFinancials(company, year);
  const other = () => writeFinancials({ figures, entity: (entity + 1) % figures.companies }, year);
  if (foreign === "swapped" && chance.happens(0.3)) return [other()];
  if (foreign === "extra" && chance.happens(0.3)) return [other(), own];
  if (doubles === "equal" && chance.happens(0.5)) return [own, own];
  if (doubles === "split" && own.years.length > 1) {
    const half = own.years.length >> 1;
    return [own.years.slice(half), own.years.slice(0, half)].map((years) => ({ ...own, years }));
  }
  return [own];
}
