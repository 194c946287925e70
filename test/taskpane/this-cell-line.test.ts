import { describe, expect, it } from "@jest/globals";
import { createPorts } from "../../src/client/ports";
import type { FinancialYear } from "../../src/feed/decode";
import type { Query, State } from "../../src/feed/query-cache";
import type { Origin } from "../../src/session/calls";
import { createSession } from "../../src/session/session";
import { toTexts } from "../../src/taskpane/texts";
import { type LineFacts, toLine } from "../../src/taskpane/this-cell/line";
import { toQueryWords } from "../../src/taskpane/this-cell/query-words";
import { listKinds } from "../feed/query-kinds";
import CASES from "./this-cell-line.json";

const ID = "3d1ce6e7-7fd1-463c-ab13-8646d111213d";
const NOW_MS = new Date("2026-11-20T20:00:00").getTime();
const FETCHED_MS = new Date("2026-11-20T19:22:00").getTime();
const YEAR = {
  year: 2020,
  fields: { currency: "JPY", financialPeriodStart: "2019-04-01", financialPeriodEnd: "2020-03-31" },
} as unknown as FinancialYear;
const PLACE = {
  value: 6_227_746_000,
  name: "Revenue",
  statementType: "INCOME_STATEMENT",
  consolidationType: "CONSOLIDATED",
  year: YEAR,
};

const answered = (value: unknown) =>
  ({
    status: "answered",
    answer: { value, asOfMs: FETCHED_MS, isComplete: true },
    error: null,
  }) as unknown as State<unknown>;
const toQuery = (...key: readonly unknown[]) => ({ key }) as unknown as Query<unknown>;

const tell = (facts: Partial<LineFacts>, language = "en-US") =>
  toLine(
    {
      known: {
        query: toQuery("financials", { companyId: ID }, 2020, false),
        state: answered({ companyId: ID, years: [] }),
      },
      origin: { error: null, places: [PLACE] },
      unit: "m",
      names: () => "Sakura Foods",
      resolution: null,
      nowMs: NOW_MS,
      ...facts,
    },
    toTexts(language),
  );

/** A case of this-cell-line.json; what is omitted is as in the first one. */
interface Case extends Pick<Partial<LineFacts>, "unit" | "resolution"> {
  title: string;
  language?: string;
  /** Other fields of the figure's year. */
  fields?: object;
  /** The query's key, and its answer. */
  key?: unknown[];
  answer?: unknown;
  /** The origin of a cell without a figure. */
  origin?: Partial<Origin>;
  /** Whether a record names the company. */
  isNamed?: boolean;
  line: string;
}

describe("the line of a cell", () => {
  it.each(CASES as Case[])("$title", (facts) => {
    const { line, language, fields, key, answer, origin, isNamed = true, ...more } = facts;
    const year = { ...YEAR, fields: { ...YEAR.fields, ...fields } };
    const told: Partial<LineFacts> = {
      ...("unit" in more && { unit: more.unit }),
      ...(more.resolution && { resolution: more.resolution }),
      ...(key && { known: { query: toQuery(...key), state: answered(answer) } }),
      ...(isNamed ? {} : { names: () => undefined }),
      origin: { error: null, places: origin ? [] : [{ ...PLACE, year }], ...origin },
    };
    expect(tell(told, language)).toBe(line);
  });

  it("tells the year of a row's other cells", () => {
    const origin: Origin = { error: null, places: [], rowPlaces: [PLACE] };
    expect(tell({ origin })).toBe("Sakura Foods · FY2020 (to 31 Mar 2020) · fetched 19:22");
  });

  it("names the answer's kind where the answer is of no company", () => {
    const known = { query: toQuery("getTaxonomyTree"), state: answered([{ sectorId: "1" }]) };
    expect(tell({ known, origin: null })).toBe("The taxonomy · fetched 19:22");
  });

  it("is none before the answer", () => {
    const known = { query: toQuery("getTaxonomyTree"), state: { status: "pending" } as const };
    expect(tell({ known })).toBeNull();
  });
});

const { feed } = createSession({ ports: createPorts(), companionUrl: "http://127.0.0.1" });
const queries = Object.values(listKinds(feed)).flatMap((kinds) => Object.values(kinds));
const kinds = new Set(queries.map(({ key }) => key[0]));

describe.each(["en", "ja"])("the description of a query (%s)", (language) => {
  const texts = toTexts(language);

  it("has a title for each kind of query, and for no other", () => {
    expect(new Set(Object.keys(texts.ofProvenance.queries))).toEqual(kinds);
  });

  it("names each of its parameters", () => {
    const isNamed = queries.map((query) => toQueryWords(query, texts).parameters.length > 0);
    expect(isNamed).toEqual(queries.map(({ key }) => key.length > 1));
  });
});
