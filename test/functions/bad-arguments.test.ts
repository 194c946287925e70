import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { COMPANY_ID, toParameters, VALID_ARGUMENTS } from "../support/formula-arguments";
import type { Shown } from "../support/formula-cells";
import { readSignatures } from "../support/formula-signatures";
import { answerEmpty, type ScriptedFormulas, startScriptedFormulas } from "../support/scripted-formulas";
import refused from "./refused-arguments.json";

/** A value that each argument refuses, whatever the provider answers. */
const BAD: Readonly<Record<string, unknown>> = {
  ...Object.fromEntries(Object.keys(VALID_ARGUMENTS).map((name) => [name, true])),
  allindustries: "perhaps",
  allmatches: "perhaps",
  headers: "perhaps",
  level: "planet",
  top: -1,
  type: "SECRET",
  unit: "lakh",
};

const HOSTILE = ["=1+1", "..", "../../token", "\u0000", "\uD800", "__proto__", "<b>x</b>", "名前", "x".repeat(40_000)];
const ERROR = { type: "Error", code: "#DIV/0!", basicType: "Error", basicValue: "#DIV/0!" };
const ENTITY = { type: "Entity", text: "Aoba", properties: { id: { type: "String", basicValue: COMPANY_ID } } };

const scalar = fc.oneof(
  fc.constantFrom(...Object.values(VALID_ARGUMENTS).flat(2)),
  fc.constantFrom(0, -1, 1.5, 1e300, Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 2 ** 53),
  fc.double(),
  fc.string({ unit: "binary", maxLength: 20 }),
  fc.constantFrom(...HOSTILE),
  fc.constantFrom(true, false, null, undefined, "", ERROR, ENTITY, {}),
);
const ragged = fc.array(fc.array(fc.oneof(scalar, fc.constant([[1]])), { maxLength: 3 }), { maxLength: 3 });
const argument = fc.oneof({ weight: 3, arbitrary: scalar }, { weight: 1, arbitrary: ragged });

let stage: ScriptedFormulas;

beforeAll(async () => {
  stage = await startScriptedFormulas(answerEmpty);
});
afterAll(() => stage.close());

async function show(name: string, parameters: unknown[]): Promise<Shown[]> {
  const cell = stage.formulas.type(name, ...parameters);
  await stage.rest();
  cell.cancel();
  return [...cell.shown];
}

const isCell = (value: unknown) =>
  typeof value === "string" || typeof value === "boolean" || (typeof value === "number" && Number.isFinite(value));

const isTable = (rows: Shown) =>
  rows.length > 0 && rows.every((row) => row.length === rows[0]?.length && row.length > 0 && row.every(isCell));

const signatures = readSignatures();
const eachArgument = signatures.flatMap((signature) =>
  signature.parameters.map(({ name }) => [signature.name, name, signature] as const),
);

const rows = Object.entries(refused).flatMap(([formula, rows]) => rows.map((row) => ({ formula, ...row })));

it.each(rows)("reports refused arguments with their remedy, and no request: $formula with $what", async (row) => {
  const shown = await show(row.formula, row.arguments);
  expect(shown).toEqual([[[`#VALUE! FEED_ARGUMENT_INVALID: ${row.error}`]]]);
  expect(stage.requests).toEqual([]); // these tests come first, so that nothing is cached
});

const FORMULAS = signatures.map((signature) => [signature.name, signature] as const);
it.each(FORMULAS)("FEED.%s gives any arguments a result that a sheet can hold", async (name, { parameters }) => {
  const tuple = fc.tuple(...parameters.map((each) => fc.oneof(fc.constant(VALID_ARGUMENTS[each.name]), argument)));
  const law = fc.asyncProperty(tuple, async (values) => {
    const shown = await show(name, values);
    expect(shown.length).toBeGreaterThan(0);
    expect(shown.filter((rows) => !isTable(rows))).toEqual([]);
  });
  await fc.assert(law, { seed: 20241120, numRuns: 60 });
});

describe("an invalid argument", () => {
  it.each(eachArgument)(
    "of FEED.%s as %s gives an error that names it and what is accepted",
    async (formula, name, signature) => {
      const [last] = (await show(formula, toParameters(signature, name, BAD[name]))).slice(-1);
      expect(last?.flat()).toEqual([
        expect.stringMatching(new RegExp(`^#VALUE! FEED_ARGUMENT_INVALID: .*\\b${name}\\b`)),
      ]);
      expect(String(last?.[0]?.[0])).toMatch(/ must (be|have) .+, not /);
    },
  );

  it.each(eachArgument)("of FEED.%s as %s passes an error on", async (formula, name, signature) => {
    const [last] = (await show(formula, toParameters(signature, name, ERROR))).slice(-1);
    expect(last).toEqual([["#DIV/0!"]]);
  });
});
