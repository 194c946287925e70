import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { toOutcome } from "../office/deliveries";
import { createOfficeRuntime, type OfficeRuntime } from "../office/runtime";
import { type RunningCompanion, startCompanion } from "../support/companion";
import { createDirectReading } from "../support/direct-reading";
import { CALLS, type Facts, readDeclared, readFacts } from "../support/formula-calls";
import { until } from "../support/until";

const BUNDLE = readFileSync(join(__dirname, "../../dist/web/functions.js"), "utf8");
const DECLARED = readDeclared();

let companion: RunningCompanion;
let facts: Facts;
let runtime: OfficeRuntime;

/** Calls a formula as Excel does and waits for the expected number of rows, or an error. */
async function call(name: string, parameters: unknown[], rows: number): Promise<unknown> {
  const declared = DECLARED.find(({ id }) => id === name)?.parameters ?? [];
  const padded = declared.map((_, place) => parameters[place] ?? null);
  const id = runtime.call(name, padded, { stream: true, allowErrors: true });
  let shown: unknown;
  await until(async () => {
    const outcome = toOutcome(await runtime.next(id));
    shown = "value" in outcome ? outcome.value : outcome;
    return !Array.isArray(shown) || (shown.length >= rows && shown[0]?.[0] !== "connecting…");
  });
  return shown;
}

beforeAll(async () => {
  companion = await startCompanion({ companies: 300 });
  facts = await readFacts(await createDirectReading(companion.origin));
  runtime = createOfficeRuntime({ origin: companion.origin });
  runtime.load(BUNDLE);
  await runtime.ready;
});

afterAll(async () => {
  runtime.dispose();
  await companion.close();
});

describe("each formula of the built functions.js on the genuine runtime", () => {
  it("is called below", () => {
    expect(Object.keys(CALLS).sort()).toEqual(DECLARED.map(({ id }) => id).sort());
  });

  it.each(Object.entries(CALLS))("shows, as FEED.%s, the values of a direct read", async (name, toCall) => {
    const { parameters, rows } = toCall(facts, facts.companies[0]?.id as string);
    expect(rows.flat().length).toBeGreaterThan(0);
    expect(await call(name, parameters, rows.length)).toEqual(rows);
  });
});
