import { afterEach, describe, expect, it } from "@jest/globals";
import { OPERATIONS, type OperationId } from "../../src/contract/constants";
import {
  COMPANY_FIELDS,
  FINANCIAL_FIELDS,
  INDUSTRY_RANKING_FIELDS,
  PAGE_RANKING_FIELDS,
  RANKING_FIELDS,
  TAXONOMY_FIELDS,
} from "../../src/feed/field-tables";
import type { Field } from "../../src/feed/fields";
import { findOperation, listBodyFields, listQueryParameters, readAnswerSchema } from "../support/contract-schemas";
import type { Received } from "../support/http-server";
import { type ScriptedFormulas, startScriptedFormulas } from "../support/scripted-formulas";
import { type Generated, generate, toShownValue } from "../support/sentinels";

/** A formula and its arguments. */
type Typed = [formula: string, ...parameters: unknown[]];

/** The subject of an answer. */
interface Ids {
  ids: string[];
  years: string[];
  /** Periods of the years, none marked as whole years, so that a basis must name them. */
  periods: string[];
}

/** How formulas reach an operation. */
interface Reach {
  /** Formulas that show fields of an answer, for these company ids and years. */
  show: (field: string, answer: Ids) => Typed[];
  /** Formulas that send the remaining parameters. */
  send?: (answer: Ids) => Typed[];
  /** Fields that formulas accept by name; all must be known. */
  known?: readonly Field[];
  /** Fields that this operation's formulas omit by design, though another operation's show them. */
  elsewhere?: RegExp;
}

type DataOperation = Exclude<OperationId, "createToken" | "listCompaniesWalkThrough">;

const RANGE = ["2024-01-01", "2024-01-31"] as const;
const FACTS = [
  ["currency", "periodStart", "periodEnd", "periodType", "period", "periodYear", "financialType", "consolidationType"],
];

const showFinancials: Reach["show"] = (_, { ids, years, periods }) => {
  const companies = ids.map((id) => [id]);
  const facts = years.map((year, at): Typed => ["FINANCIAL", companies, [[year]], FACTS, periods[at]]);
  return [...periods.map((period): Typed => ["FINANCIALS", companies, null, null, "long", period]), ...facts];
};
const showConstituents = (node: string): Reach => ({
  show: (field) => [["CONSTITUENTS", node, "JPN", null, null, [[field]], null, false]],
  send: () => [["CONSTITUENTS", node, "JPN", "PRIVATE", 5, null, true]],
  known: TAXONOMY_FIELDS,
});

/** Every operation but those of the pane (§4.1, §4.5), with the formulas that reach it. */
const REACHES: Record<DataOperation, Reach> = {
  searchCompanies: {
    show: (field) => [["COMPANIES", "JPN", null, null, [[field]], null, false]],
    send: () => [["COMPANIES", "JPN", "5010401012345", null, null, "companyName"]],
    known: COMPANY_FIELDS,
    elsewhere: /^(representatives|industryClassifications)\./, // a list needs a single company
  },
  getCompany: { show: (field, { ids: [id] }) => [["COMPANY", [[id]], [[field]]]], known: COMPANY_FIELDS },
  getCompanyFinancials: {
    show: showFinancials,
    send: ({ ids: [id] }) => [["FINANCIAL", [[id]], [[2023]], [["Revenue"]]]],
    known: FINANCIAL_FIELDS,
  },
  getFinancialsOfMany: {
    show: showFinancials,
    send: ({ ids }) => [
      ["FINANCIAL", ids.map((id) => [id]), [[2023]], [["Revenue"]]],
      ["FINANCIAL", [["5010401012345"]], [[2023]], [["Revenue"]]],
    ],
  },
  listTaxonomyCompanies: {
    show: (field) => [["UNIVERSE", "JPN", null, null, [[field]], false]],
    known: TAXONOMY_FIELDS,
  },
  getTaxonomyCompany: { show: (field, { ids: [id] }) => [["CLASSIFICATION", [[id]], field]], known: TAXONOMY_FIELDS },
  listIndustryCompanies: showConstituents("I1"),
  listSubSectorCompanies: showConstituents("U1"),
  listSectorCompanies: showConstituents("S1"),
  getTaxonomyTree: { show: () => [["TAXONOMY"]] },
  rankCompanies: { show: (field) => [["RANKING", ...RANGE, null, [[field]]]], known: RANKING_FIELDS },
  rankCompanyPages: {
    show: (field) => [["RANKING.PAGES", ...RANGE, null, null, [[field]]]],
    known: PAGE_RANKING_FIELDS,
  },
  rankIndustries: {
    show: (field) => [["RANKING.INDUSTRIES", ...RANGE, null, [[field]]]],
    known: INDUSTRY_RANKING_FIELDS,
  },
};

/** Fields of the envelope (§2.1) are consumed by paging. */
const ENVELOPE = ["page", "pageSize", "total"];

/** The tree that gives a node's level. */
const INDUSTRY = { industryId: "I1", industryName: "Bakeries" };
const TREE = [
  {
    sectorId: "S1",
    sectorName: "Consumer",
    subSectors: [{ subSectorId: "U1", subSectorName: "Food", industries: [INDUSTRY] }],
  },
];

interface ScriptedApi extends ScriptedFormulas {
  generated: Generated;
  answer: Ids;
  /** Requests of the operation. */
  dataRequests: () => Received[];
}

const stages: ScriptedApi[] = [];
afterEach(() => Promise.all(stages.splice(0).map((stage) => stage.close())));

/** A provider that answers one operation from its schema, and the tree. */
async function startStage(operation: DataOperation, isTrue: boolean): Promise<ScriptedApi> {
  const generated = generate(readAnswerSchema(operation), isTrue, operation === "getFinancialsOfMany" ? 2 : 1);
  const { body, sentinels } = generated;
  const list = body as { data?: unknown[] };
  if (list.data !== undefined) Object.assign(list, { page: 1, pageSize: 1000, total: list.data.length });
  const isOf = ({ method, path }: Received, each: OperationId) => findOperation(method, path) === each;
  const formulas = await startScriptedFormulas((request) => {
    if (isOf(request, operation)) return { json: body };
    return isOf(request, "getTaxonomyTree") ? { json: TREE } : undefined;
  });
  const pick = (pattern: RegExp) =>
    sentinels.filter(({ path }) => pattern.test(path)).map(({ value }) => String(value));
  const ids = pick(/^(data\.)?(companyId|id)$/);
  const years = pick(/^(data\.)?years\.year$/);
  const dataRequests = () => formulas.requests.filter((request) => isOf(request, operation));
  const periods = pick(/^(data\.)?years\.period$/);
  const stage = { ...formulas, generated, answer: { ids, years, periods }, dataRequests: dataRequests };
  stages.push(stage);
  return stage;
}

/** Types formulas and gives all their final cells. */
async function show(stage: ScriptedApi, typed: Typed[]): Promise<unknown[]> {
  const cells = typed.map(([formula, ...parameters]) => stage.formulas.type(formula, ...parameters));
  await stage.rest();
  return cells.flatMap((cell) => cell.shown.at(-1)?.flat() ?? []);
}

/** A field's name in formulas; for a list, of its elements. */
const toField = (path: string): string => path.replace(/^data\./, "");

const listShown = ({ generated }: ScriptedApi, { elsewhere }: Reach) =>
  generated.sentinels.filter(({ path }) => !ENVELOPE.includes(path) && !elsewhere?.test(toField(path)));

const operations = Object.entries(REACHES) as [DataOperation, Reach][];

describe("the formulas", () => {
  it("reach every operation but those of the pane", () => {
    const reached = [...Object.keys(REACHES), "createToken", "listCompaniesWalkThrough"];
    expect(Object.keys(OPERATIONS).filter((operation) => !reached.includes(operation))).toEqual([]);
  });

  it.each(operations.flatMap(([name, reach]) => [true, false].map((isTrue) => [name, isTrue, reach] as const)))(
    "show every field of %s, its flags %s",
    async (operation, isTrue, reach) => {
      const stage = await startStage(operation, isTrue);
      const missing: string[] = [];
      for (const sentinel of listShown(stage, reach)) {
        const cells = await show(stage, reach.show(toField(sentinel.path), stage.answer));
        if (!cells.includes(toShownValue(sentinel))) missing.push(`${sentinel.path}: ${cells.slice(0, 3).join(" | ")}`);
      }
      expect(missing).toEqual([]);
      expect(stage.dataRequests().length).toBeGreaterThan(0);
    },
  );

  it.each(operations)("send every parameter of %s", async (operation, { show: reach, send = () => [] }) => {
    const stage = await startStage(operation, true);
    await show(stage, send(stage.answer)); // first, since cached answers are not refetched
    await show(stage, reach("id", stage.answer));
    const sent = stage
      .dataRequests()
      .flatMap(({ query, body }) => [
        ...query.keys(),
        ...(typeof body === "object" && body !== null ? Object.keys(body) : []),
      ]);
    const parameters = [...listQueryParameters(operation), ...listBodyFields(operation)];
    expect(parameters.filter((name) => !sent.includes(name))).toEqual([]);
  });

  it.each(operations.filter(([, { known }]) => known !== undefined))(
    "accept every field of %s by name",
    (operation, { known = [] }) => {
      const { sentinels } = generate(readAnswerSchema(operation), true, 1);
      const names = sentinels
        .map(({ path }) => path)
        .filter((path) => !ENVELOPE.includes(path) && !path.endsWith(".unshown"));
      expect(names.map(toField).filter((name) => !known.some((field) => field.name === name))).toEqual([]);
    },
  );
});
