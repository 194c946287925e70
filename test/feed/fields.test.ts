import { describe, expect, it } from "@jest/globals";
import * as tables from "../../src/feed/field-tables";
import type { Field } from "../../src/feed/fields";

const {
  COMPANY_FIELDS,
  COMPANY_MOVER_FIELDS,
  findField,
  INDUSTRY_MOVER_FIELDS,
  INDUSTRY_RANKING_FIELDS,
  MATCH_FIELDS,
  NAME_FIELDS,
  OFFICER_FIELDS,
  PAGE_RANKING_FIELDS,
  PEER_FIELDS,
  RANKING_FIELDS,
  TAXONOMY_FIELDS,
} = tables;

/** The fields of each formula that takes their names. */
const FORMULAS: Readonly<Record<string, readonly Field[]>> = {
  COMPANY: COMPANY_FIELDS,
  "COMPANY.FIND": NAME_FIELDS,
  "COMPANY.MATCH": MATCH_FIELDS,
  "COMPANY.OFFICERS": OFFICER_FIELDS,
  UNIVERSE: TAXONOMY_FIELDS,
  PEERS: PEER_FIELDS,
  RANKING: RANKING_FIELDS,
  "RANKING.PAGES": PAGE_RANKING_FIELDS,
  "RANKING.INDUSTRIES": INDUSTRY_RANKING_FIELDS,
  "RANKING.MOVERS": COMPANY_MOVER_FIELDS,
  "RANKING.MOVERS of industries": INDUSTRY_MOVER_FIELDS,
};

const find = (name: string, formula: string) => {
  const found = findField(name, FORMULAS[formula] as readonly Field[], []);
  return "name" in found ? found.name : null;
};

/** What a name means in each formula; formulas that have no such field are left out. */
const toMeanings = (name: string) =>
  Object.fromEntries(
    Object.keys(FORMULAS).flatMap((formula) => {
      const meaning = find(name, formula);
      return meaning === null ? [] : [[formula, meaning]];
    }),
  );

const IDS = {
  COMPANY: "id",
  "COMPANY.FIND": "companyId",
  "COMPANY.MATCH": "companyId",
  "COMPANY.OFFICERS": "id",
  UNIVERSE: "companyId",
  PEERS: "companyId",
};

const NAMES = {
  COMPANY: "companyName",
  "COMPANY.FIND": "companyName",
  "COMPANY.MATCH": "companyName",
  "COMPANY.OFFICERS": "companyName",
  UNIVERSE: "companyFormalName",
  PEERS: "companyFormalName",
  RANKING: "companyName",
  "RANKING.PAGES": "companyName",
  "RANKING.MOVERS": "companyName",
};

const TICKERS = Object.fromEntries(
  ["COMPANY.FIND", "COMPANY.MATCH", "UNIVERSE", "PEERS", "RANKING", "RANKING.PAGES", "RANKING.MOVERS"].map((each) => [
    each,
    "tickerSymbol",
  ]),
);

const INDUSTRIES = {
  UNIVERSE: "taxonomy.industryName",
  PEERS: "taxonomy.industryName",
  "RANKING.INDUSTRIES": "industryName",
  "RANKING.MOVERS of industries": "industryName",
};

describe("a field's name as another formula has it", () => {
  it.each([
    ["companyId", IDS],
    ["Company id", IDS],
    ["id", { ...IDS, "RANKING.INDUSTRIES": "industryId", "RANKING.MOVERS of industries": "industryId" }],
    ["company", NAMES],
    ["companyName", NAMES],
    ["ticker", TICKERS],
    ["tickersymbol", TICKERS],
    ["industryName", INDUSTRIES],
    ["Industry", INDUSTRIES],
    ["taxonomy.industryName", INDUSTRIES],
    ["websiteUrl", { COMPANY: "websiteUrl", UNIVERSE: "website", PEERS: "website" }],
    ["website", { COMPANY: "websiteUrl", UNIVERSE: "website", PEERS: "website" }],
    [
      "countryCode",
      {
        COMPANY: "registeredAddress.country",
        "COMPANY.FIND": "countryCode",
        "COMPANY.MATCH": "countryCode",
        UNIVERSE: "countryCode",
        PEERS: "countryCode",
      },
    ],
  ])("%s is understood wherever there is such a field", (name, meanings) => {
    expect(toMeanings(name)).toEqual(meanings);
  });

  it("is understood by name and by heading in every formula that heads a field so", () => {
    const all = Object.values(FORMULAS).flat();
    const unheard = Object.entries(FORMULAS).flatMap(([formula, fields]) =>
      all
        .filter(({ header, kind }) => kind !== "number" && fields.some((own) => own.header === header))
        .filter(({ name, header }) => [name, header].some((each) => find(each, formula) === null))
        .map(({ name }) => `${formula}: ${name}`),
    );
    expect(unheard).toEqual([]);
  });

  it.each([
    ["taxonomy.score", "COMPANY.MATCH"],
    ["score", "RANKING"],
  ])("is no other number under the same heading: %s in %s", (name, formula) => {
    expect(find(name, formula)).toBeNull();
  });

  it("is the field itself in its own formula", () => {
    for (const [formula, fields] of Object.entries(FORMULAS)) {
      for (const { name } of fields) expect(find(name, formula)).toBe(name);
    }
  });

  it("gives way to a field of the answer", () => {
    expect(findField("countryCode", COMPANY_FIELDS, [{ countryCode: "JPN" }])).toMatchObject({ name: "countryCode" });
  });
});
