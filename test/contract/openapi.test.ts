import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import Ajv from "ajv/dist/2020";
import addFormats from "ajv-formats";
import * as constants from "../../src/contract/constants";
import * as values from "../../src/contract/parameter-values";
import ACCEPTED from "./accepted.json";
import { description, operations, ROOM, readParameters, type Schema } from "./description";
import EXPECTED from "./openapi.json";
import REFUSED from "./refused.json";

const { schemas, securitySchemes } = description.components;

function isNullable({ type, anyOf }: Schema): boolean {
  return [type].flat().includes("null") || (anyOf ?? []).some(isNullable);
}

describe("the operations", () => {
  it("require the scopes of the document (§4, §5.4)", () => {
    const { createToken, listCompaniesWalkThrough, ...reads } = operations;
    expect(createToken!.security).toEqual([]);
    expect(listCompaniesWalkThrough!.security).toBeUndefined(); // a bearer without named scopes, as by default
    const toSecurity = (scopes: string[]) => scopes.map((scope) => ({ accessToken: [scope] }));
    expect(Object.entries(reads).map(([id, { security }]) => [id, security])).toEqual(
      Object.entries(EXPECTED.scopes).map(([id, scopes]) => [id, toSecurity(scopes)]),
    );
  });

  it("require a country's access scope on the five lists by country, and nowhere else", () => {
    const marked = Object.values(operations).filter((operation) => operation["x-country-scope"]);
    expect(marked.map(({ operationId }) => operationId)).toEqual(EXPECTED.byCountry);
  });

  it("document 404 for the two reads by id alone (§7)", () => {
    const marked = Object.values(operations).filter(({ responses }) => "404" in responses);
    expect(marked.map(({ operationId }) => operationId)).toEqual(["getCompany", "getTaxonomyCompany"]);
  });

  it("fail in the error shape in the ranking family alone (§7)", () => {
    const shaped = Object.values(operations).filter(({ responses }) =>
      JSON.stringify([responses["4XX"], responses.default]).includes("/RankingFailure"),
    );
    expect(shaped.map(({ operationId }) => operationId)).toEqual(EXPECTED.rankings);
  });

  it.each(Object.entries(EXPECTED.parameters))("%s takes the parameters: %s", (operationId, expected) => {
    const written = readParameters(operationId).map(({ name, required, schema }) => {
      if (required) return `${name}!`;
      return schema.default === undefined ? name : `${name}=${schema.default}`;
    });
    expect(written.join(" ")).toBe(expected);
  });
});

describe("the fields", () => {
  it("can be null if the document says so, and nowhere else (§2, §7)", () => {
    const nullable = Object.entries(schemas).flatMap(([name, { properties = {} }]) =>
      Object.keys(properties)
        .filter((field) => isNullable(properties[field]!))
        .map((field) => `${name}.${field}`),
    );
    expect(nullable).toEqual(EXPECTED.nullable);
    const error = schemas.ErrorBody!.properties!.error!;
    expect(Object.keys(error.properties!).filter((field) => isNullable(error.properties![field]!))).toEqual([
      "traceId",
      "details",
    ]);
  });

  it("have an enum only if the document gives a whole list", () => {
    const closed = Object.entries(schemas).filter(([, schema]) => JSON.stringify(schema).includes('"enum"'));
    expect(closed.map(([name]) => name)).toEqual(["PageType"]);
  });
});

function readDefault(operationId: string, name: string): unknown {
  return readParameters(operationId).find((parameter) => parameter.name === name)?.schema.default;
}

describe("the constants", () => {
  it("name every operation of the description with its method and path", () => {
    const described = Object.values(operations).map(({ operationId, method, path }) => [operationId, { method, path }]);
    expect(constants.OPERATIONS).toEqual(Object.fromEntries(described));
  });

  it("list the metric names by statement, in the description's order", () => {
    expect(Object.entries(values.METRICS)).toEqual(Object.entries(schemas.Statement!["x-metric-names"]!));
    expect(Object.keys(values.METRICS)).toEqual([...values.STATEMENT_TYPES]);
  });

  it("list the 18 page types in the description's order", () => {
    expect(values.PAGE_TYPES).toEqual(schemas.PageType!.enum);
    expect(values.PAGE_TYPES).toHaveLength(18);
  });

  it("list the company types of the parameter", () => {
    const type = readParameters("listTaxonomyCompanies").find(({ name }) => name === "company_type");
    expect(values.COMPANY_TYPES).toEqual(type!.schema.enum);
  });

  it("hold the default page sizes", () => {
    for (const { operationId } of Object.values(operations)) {
      const size = readDefault(operationId, "page_size");
      if (size === undefined) continue;
      const expected =
        operationId === "rankIndustries" ? constants.INDUSTRY_RANKING_PAGE_SIZE : constants.DEFAULT_PAGE_SIZE;
      expect([operationId, size]).toEqual([operationId, expected]);
    }
  });

  it("hold the fixed values of the token request", () => {
    const { grant_type, client_assertion_type } = schemas.TokenRequest!.properties!;
    expect(constants.GRANT_TYPE).toBe(grant_type!.const);
    expect(constants.ASSERTION_TYPE).toBe(client_assertion_type!.const);
  });

  it("hold the two lifetimes of five minutes", () => {
    expect([constants.TOKEN_LIFETIME_SECONDS, constants.ASSERTION_LIFETIME_LIMIT_SECONDS]).toEqual([300, 300]);
  });

  it("hold every named scope, and no other", () => {
    const { company, financials, taxonomy, rankings } = constants.SCOPES;
    expect([company, financials, ...taxonomy, ...Object.values(rankings)]).toEqual(
      Object.keys(securitySchemes.accessToken.flows.clientCredentials.scopes),
    );
  });
});

describe("the table of gaps", () => {
  /** A case of test/cases is a test too. */
  const NAMED = /^((test\/[\w/*-]+\.test\.ts|test\/cases\/[\w-]+\.json)(, )?)+$|^no(thing to)? test/;
  /** Every id under an x-gap, at any depth. */
  function findGaps(node: unknown): string[] {
    if (typeof node !== "object" || node === null) return [];
    return Object.entries(node).flatMap(([key, value]) => (key === "x-gap" ? [value].flat() : findGaps(value)));
  }

  const rows = readFileSync(join(ROOM, "README.md"), "utf8")
    .split("\n")
    .filter((line) => /^\| `[a-z-]+` \|/.test(line))
    .map((line) =>
      line
        .split("|")
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );

  it("has one row for every x-gap of the description, and no other", () => {
    const ids = rows.map(([id]) => id!.replaceAll("`", ""));
    expect(ids.sort()).toEqual([...new Set(findGaps(description))].sort());
  });

  it("has in each row the gap, its place, the behaviour and its test", () => {
    for (const row of rows) {
      expect(row).toHaveLength(5);
      expect(row).not.toContain("");
    }
  });

  it("names test files, or says why there is none", () => {
    for (const [id, , , , held] of rows) {
      expect([id, held]).toEqual([id, expect.stringMatching(NAMED)]);
    }
  });
});

describe("the generated files", () => {
  it("are the current output of npm run contract", () => {
    const folder = mkdtempSync(join(tmpdir(), "contract-"));
    try {
      execFileSync(process.execPath, [join(ROOM, "generate.mjs"), folder]);
      for (const file of ["types.ts", "openapi.json", "routes.json"]) {
        expect(readFileSync(join(ROOM, "generated", file), "utf8")).toBe(readFileSync(join(folder, file), "utf8"));
      }
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it("have the same short names in types.ts", () => {
    const names = [
      ...readFileSync(join(ROOM, "types.ts"), "utf8").matchAll(/^export type (\w+) = Schemas\["(\w+)"\];$/gm),
    ];
    expect(names.map(([, alias]) => alias)).toEqual(names.map(([, , schema]) => schema));
    expect(Object.keys(description.components.schemas)).toEqual(
      expect.arrayContaining(names.map(([, alias]) => alias)),
    );
  });
});

// The description is no schema itself; ajv only resolves references into it.
const ajv = addFormats(new Ajv({ strict: false }));
ajv.addSchema(JSON.parse(readFileSync(join(ROOM, "generated/openapi.json"), "utf8")), "api");

function fits(schema: string, value: unknown): boolean {
  return ajv.validate({ $ref: `api#/components/schemas/${schema}` }, value);
}

it.each(ACCEPTED as [string, string, object][])("the description accepts %s", (_what, schema, value) => {
  expect(fits(schema, value)).toBe(true);
});

it.each(REFUSED as [string, string, object][])("the description refuses %s", (_what, schema, value) => {
  expect(fits(schema, value)).toBe(false);
});
