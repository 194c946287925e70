import type { FeedCode } from "../../src/client/errors";
import type { Chance } from "../support/chance";
import type { FormulaName } from "./page";
import {
  COMPANIES,
  hasMetric,
  industryOf,
  listCompanies,
  METRICS,
  type Meaning,
  type MetricName,
  RANKED,
  toCompanyId,
  toCompanyName,
  toFinancial,
  toIndustryId,
  toRegistration,
  toViews,
  YEARS,
} from "./truth";

/** The expected final cell: a text, the number of a meaning, or an error code. */
export type Expected = string | number | Meaning | { code: FeedCode };

export interface Moment {
  nowMs: number;
  timeZone: string;
}

/** A typed formula, and its expected result by the provider's data. */
export interface Written {
  name: FormulaName;
  given: readonly unknown[];
  /** Rows per company, if a failed one has a single row; default 1. */
  rowsOfCompany?: number;
  expect(moment: Moment): Expected[][];
}

const NAME_AND_COUNT = "companyName,employees.nonConsolidated.employeeCount";
const NAME_AND_SCORE = "companyEnglishName,score";

const pickCompany = (chance: Chance): number => chance.below(COMPANIES);
const pickMetric = (chance: Chance): MetricName => chance.pick(METRICS).name;

/** Either notation of a company. */
const toReference = (chance: Chance, company: number): unknown =>
  chance.pick([toCompanyId(company), toRegistration(company), Number(toRegistration(company))]);

const toFigure = (company: number, year: number, metric: MetricName): Expected =>
  hasMetric(company, year, metric) ? toFinancial(company, year, metric) : { code: "FEED_NO_VALUE" };

const toCount = (company: number): Meaning => ({ kind: "employees", entity: company, slot: 0 });
const toScore = (company: number): Meaning => ({ kind: "score", entity: company, slot: 0 });

function writeFigure(chance: Chance): Written {
  const [company, year, metric] = [pickCompany(chance), chance.pick([...YEARS, 2030, "FY0"]), pickMetric(chance)];
  const fiscal = typeof year === "number" ? year : 2023;
  const given = [[[toReference(chance, company)]], [[year]], [[metric]]];
  return { name: "FINANCIAL", given, expect: () => [[toFigure(company, fiscal, metric)]] };
}

/** A column of companies by a row of years, with a blank and an unknown one. */
function writeGrid(chance: Chance): Written {
  const first = chance.below(10);
  const companies = listCompanies().slice(first, first + 2 + chance.below(COMPANIES - first));
  const years = YEARS.slice(chance.below(3));
  const metric = pickMetric(chance);
  const unknown = toCompanyId(999);
  const column = [...companies.map((company) => [toCompanyId(company)]), [null], [unknown]];
  const toRow = (of: (year: number) => Expected) => years.map(of);
  const expected = [
    ...companies.map((company) => toRow((year) => toFigure(company, year, metric))),
    toRow(() => ""),
    toRow(() => ({ code: "FEED_NOT_FOUND" })),
  ];
  return { name: "FINANCIAL", given: [column, [years], [[metric]]], expect: () => expected };
}

function writeTable(chance: Chance): Written {
  const first = pickCompany(chance);
  const companies = [first, (first + 7) % COMPANIES];
  const ids = companies.map(toCompanyId);
  const years = [2022, 2023];
  const expected = companies.flatMap((company, at) =>
    years.map((year): Expected[] => [
      ids[at] as string,
      year,
      "JPY",
      ...METRICS.map(({ name }) => (hasMetric(company, year, name) ? toFinancial(company, year, name) : "")),
    ]),
  );
  const metrics = METRICS.map(({ name }) => name).join(",");
  const given = [[ids], [["2022:2023"]], [[metrics]], null, null, null, false];
  return { name: "FINANCIALS", given, rowsOfCompany: years.length, expect: () => expected };
}

function writeRecords(chance: Chance): Written {
  const companies = Array.from({ length: 1 + chance.below(6) }, () => pickCompany(chance));
  const column = companies.map((company) => [toReference(chance, company)]);
  const expected = companies.map((company) => [toCompanyName(company), toCount(company)]);
  return { name: "COMPANY", given: [column, [NAME_AND_COUNT.split(",")]], expect: () => expected };
}

function writeSearch(chance: Chance): Written {
  const top = chance.pick([5, 26, "all"]);
  const companies = listCompanies().slice(0, typeof top === "number" ? top : COMPANIES);
  const expected = companies.map((company) => [toCompanyName(company), toCount(company)]);
  const given = [chance.pick(["JPN", "ALL"]), null, top, [[NAME_AND_COUNT]], null, false];
  return { name: "COMPANIES", given, expect: () => expected };
}

function writeConstituents(chance: Chance): Written {
  const industry = industryOf(pickCompany(chance));
  const companies = listCompanies().filter((company) => industryOf(company) === industry);
  const expected = companies.map((company) => [toCompanyName(company), toScore(company)]);
  const given = [toIndustryId(industry), "JPN", null, null, [[NAME_AND_SCORE]], null, false];
  return { name: "CONSTITUENTS", given, expect: () => expected };
}

function writePeers(chance: Chance): Written {
  const company = pickCompany(chance);
  const peers = listCompanies().filter((other) => other !== company && industryOf(other) === industryOf(company));
  const expected = peers.map((peer) => [toCompanyName(peer), toScore(peer)]);
  const given = [toReference(chance, company), "industry", "JPN", null, null, [[NAME_AND_SCORE]], false];
  return { name: "PEERS", given, expect: () => expected };
}

function writeScore(chance: Chance): Written {
  const company = pickCompany(chance);
  const given = [[[toCompanyId(company)]], "primary.score"];
  return { name: "CLASSIFICATION", given, expect: () => [[toScore(company)]] };
}

/** Formats days in ISO form; cached, since it is slow. */
const calendars = new Map<string, Intl.DateTimeFormat>();

/** The calendar day a number of days before a moment, in a time zone. */
export function toDay({ nowMs, timeZone }: Moment, daysBefore: number): string {
  const calendar = calendars.get(timeZone) ?? new Intl.DateTimeFormat("sv-SE", { timeZone });
  calendars.set(timeZone, calendar);
  const today = calendar.format(nowMs);
  return new Date(Date.parse(`${today}T00:00:00Z`) - daysBefore * 86_400_000).toISOString().slice(0, 10);
}

/** A ranking of fixed or relative days, in the provider's order or by the opposite measure. */
function writeRanking(chance: Chance): Written {
  const days = chance.pick([null, 1, 7]);
  const top = chance.pick([3, 30, "all"]);
  const by = chance.happens(0.3) ? "totalUniquePageViews" : null;
  const ranks = Array.from({ length: RANKED }, (_, rank) => (by === null ? rank : RANKED - 1 - rank));
  const shown = ranks.slice(0, typeof top === "number" ? top : RANKED);
  const fields = "rank,companyName,totalPageViews,totalUniquePageViews";
  const [start, end] = days === null ? ["2024-03-01", "2024-03-31"] : [`-${days}d`, null];
  return {
    name: "RANKING",
    given: [start, end, top, [[fields]], by, false],
    expect(moment) {
      const day = days === null ? "2024-03-01" : toDay(moment, days);
      return shown.map((rank) => [
        rank + 1,
        toCompanyName(COMPANIES + rank),
        toViews("views", rank, day),
        toViews("unique", rank, day),
      ]);
    },
  };
}

function writeMistake(chance: Chance): Written {
  const mistakes: Written["given"][] = [
    [[[toCompanyId(1)]], [["last year"]], [["Revenue"]]],
    [[[toCompanyId(1)]], [[2023]], [["Revenue"]], null, "dozen"],
  ];
  const expected: Expected[][] = [[{ code: "FEED_ARGUMENT_INVALID" }]];
  return { name: "FINANCIAL", given: chance.pick(mistakes), expect: () => expected };
}

const WRITERS = [
  ...[writeFigure, writeFigure, writeFigure, writeGrid, writeTable, writeRecords, writeSearch],
  ...[writeConstituents, writePeers, writeScore, writeRanking, writeMistake],
];

export const writeFormula = (chance: Chance): Written => chance.pick(WRITERS)(chance);

export const describeFormula = ({ name, given }: Written): string =>
  `${name}(${given.map((each) => JSON.stringify(each)).join(", ")})`;
