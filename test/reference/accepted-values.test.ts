import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { COMPANIES } from "../../src/playground/sample-workbook";
import { ENUMERATIONS } from "../../src/reference/enumerations";
import { type RunningCompanion, startCompanion } from "../support/companion";
import { type Formulas, loadFormulas } from "../support/formula-cells";
import ROWS from "./accepted-values.json";

let companion: RunningCompanion;
let formulas: Formulas;

beforeAll(async () => {
  companion = await startCompanion({ companies: 400 });
  formulas = await loadFormulas(companion.origin);
});
afterAll(async () => {
  formulas.close();
  await companion.close();
});

/** A formula with one of an enumeration's values in its place. */
const CALLS = ROWS.map(([enumeration, formula, given]) => {
  const text = JSON.stringify(given).replaceAll("{company}", COMPANIES[0]!.id);
  const toParameters = (value: string): unknown[] => JSON.parse(text.replace("{value}", value));
  return [enumeration as string, formula as string, toParameters] as const;
});

describe("a suggested value", () => {
  it.each(CALLS)("of %s is accepted by FEED.%s", async (enumeration, formula, toParameters) => {
    const values = [...(ENUMERATIONS.get(enumeration)?.keys() ?? [])];
    const shown = values.map(async (value) => [
      value,
      (await formulas.type(formula, ...toParameters(value)).next())[0]?.[0],
    ]);
    expect(values.length).toBeGreaterThan(1);
    expect((await Promise.all(shown)).filter(([, cell]) => String(cell).startsWith("#VALUE!"))).toEqual([]);
  });

  it("is tested for every enumeration but the countries, which the provider defines", () => {
    const called = new Set(CALLS.map(([enumeration]) => enumeration));
    expect([...ENUMERATIONS.keys()].filter((id) => !called.has(id))).toEqual(["COUNTRY"]);
  });
});
