import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { METRICS } from "../../src/contract/parameter-values";
import type { CompanyFinancials, CompanyPage } from "../../src/contract/types";
import { createSheet, toFunctionCalls } from "../bench/excel/sheet";
import { type CellError, type CellOutcome, toOutcome, withoutFormats } from "../office/deliveries";
import { type OfficeRuntime, openFormulas } from "../office/runtime";
import { type RunningCompanion, startCompanion } from "../support/companion";
import { createDirectReading, type Read } from "../support/direct-reading";
import { CALLS, DECLARED, type Facts, readFacts, toPadded } from "../support/formula-calls";
import { until } from "../support/until";

const STREAM = { stream: true, allowErrors: true };
const YEARS = 10;
const METRIC_NAMES = Object.values(METRICS).flat().slice(0, 14);

/** Counted in the page: operations requested from the host's engine. */
const COUNTING = `(() => {
  let timers = 0;
  const set = setTimeout;
  setTimeout = window.setTimeout = (...given) => {
    timers++;
    return set(...given);
  };
  return () => timers;
})()`;

let companion: RunningCompanion;
let read: Read;
let facts: Facts;
let companyIds: string[];
let runtime: OfficeRuntime;
/** The length of the answers with financials. */
let receivedBytes: number;

const measuredFetch: typeof fetch = async (...request) => {
  const response = await fetch(...request);
  const text = await response.text();
  if (response.url.includes("/financials")) receivedBytes += text.length;
  return new Response(response.status === 204 ? null : text, response);
};

const first = async (name: string, parameters: unknown[]) =>
  toOutcome(await runtime.next(runtime.call(name, parameters, STREAM)));

/** Calls a formula as Excel does and waits for the expected number of rows, or an error. */
async function show(name: string, parameters: unknown[], rows: number): Promise<unknown> {
  const id = runtime.call(name, toPadded(name, parameters), STREAM);
  let shown: unknown;
  await until(async () => {
    const outcome = withoutFormats(toOutcome(await runtime.next(id)));
    shown = "value" in outcome ? outcome.value : outcome;
    return !Array.isArray(shown) || (shown.length >= rows && shown[0]?.[0] !== "connecting…");
  });
  return shown;
}

const readFinancials = (companyId: string) =>
  read<CompanyFinancials>(`/asia/private-markets/v1/financials/companies/${companyId}`);

/** An answer's value for a year and metric; consolidated figures come first. */
function listFigures({ years }: CompanyFinancials, year: number, metric: string): number[] {
  const statements = years.filter((each) => each.year === year).flatMap((each) => each.statements);
  const found = statements.flatMap(({ consolidationType, metrics }) =>
    metrics.filter(({ name }) => name === metric).map(({ value }) => ({ consolidationType, value })),
  );
  const consolidated = found.filter(({ consolidationType }) => consolidationType === "CONSOLIDATED");
  return [...new Set((consolidated.length > 0 ? consolidated : found).map(({ value }) => value))];
}

/** The expected cell for them: the figure, or an error code. */
function toExpected(figures: number[]): number | string {
  if (figures.length === 0) return "#N/A";
  return figures.length === 1 ? figures[0]! : "#VALUE!";
}

function toShown(outcome: CellOutcome): unknown {
  if ("error" in outcome) return outcome.error.code;
  const [[only]] = outcome.value as [[unknown]];
  return typeof only === "object" ? (only as CellError).error.code : only;
}

beforeAll(async () => {
  companion = await startCompanion();
  read = await createDirectReading(companion.origin);
  facts = await readFacts(read);
  const page = await read<CompanyPage>("/asia/private-markets/v1/companies?country=ALL&page_size=100");
  companyIds = page.data.map((company) => company.id);
  await open();
});

beforeEach(() => {
  companion.controls.reset();
  receivedBytes = 0;
});

afterAll(async () => {
  runtime.dispose();
  await companion.close();
});

/** Opens a page in place of the last one; most tests share the first. */
async function open(): Promise<void> {
  runtime?.dispose();
  runtime = await openFormulas({ origin: companion.origin, fetch: measuredFetch });
}

describe("the built functions.js on the genuine runtime", () => {
  it("shows 14,000 cells of one host message as a direct read of the API gives them, at the least cost", async () => {
    const financials = new Map<string, CompanyFinancials>();
    for (const companyId of companyIds) financials.set(companyId, await readFinancials(companyId));
    const leastBytes = JSON.stringify([...financials.values()]).length;
    const years = [...financials.values()][0]!.years.map(({ year }) => year).slice(0, YEARS);
    const cells = companyIds.flatMap((companyId) =>
      years.flatMap((year) => METRIC_NAMES.map((metric) => ({ companyId, year, metric }))),
    );
    expect(cells).toHaveLength(14_000);
    companion.controls.reset();
    const calls = toFunctionCalls(createSheet(companyIds, years, METRIC_NAMES));
    const countTimers = runtime.evaluate(COUNTING) as () => number;
    const deliveries = await runtime.settled(runtime.callMany(calls));
    const expected = cells.map(({ companyId, year, metric }) =>
      toExpected(listFigures(financials.get(companyId)!, year, metric)),
    );
    expect(deliveries.map((delivery) => toShown(toOutcome(delivery)))).toEqual(expected);
    expect(expected.filter((value) => typeof value === "number").length).toBeGreaterThan(10_000);
    const counts = (["getFinancialsOfMany", "getCompanyFinancials", "createToken"] as const).map(
      companion.controls.count,
    );
    expect(counts).toEqual([4, 0, 1]);
    const results = runtime.messagesSent.flat().filter(({ name }) => name === "SetInvocationArrayResults");
    expect(results.flatMap((sent) => sent.arguments[0])).toHaveLength(14_000);
    expect(results.length).toBeLessThanOrEqual(4);
    expect(receivedBytes / leastBytes).toBeLessThan(1.01);
    expect(countTimers() / 14_000).toBeLessThan(0.03);
  });

  it("holds less than 2 KB for each live cell, answers included", () => {
    // In a separate process, since the test's own memory would distort the figure.
    const flags = ["--expose-gc", "--require", join(__dirname, "../support/typescript.cjs")];
    const { stdout, stderr } = spawnSync(process.execPath, [...flags, join(__dirname, "cell-memory.ts")]);
    expect(String(stderr)).toBe("");
    const { own, bare } = JSON.parse(String(stdout)) as { own: number; bare: number };
    expect(own - bare).toBeLessThan(2 * 1024);
    expect(own - bare).toBeGreaterThan(256); // less would mean that no formula ran
  });

  it("has each formula in the calls below", () => {
    expect(Object.keys(CALLS).sort()).toEqual(DECLARED.map(({ id }) => id).sort());
  });

  it.each(Object.entries(CALLS))("shows, as FEED.%s, the values of a direct read", async (name, toCall) => {
    const { parameters, rows } = toCall(facts, facts.companies[0]?.id as string);
    expect(rows.flat().length).toBeGreaterThan(0);
    expect(await show(name, parameters, rows.length)).toEqual(rows);
  });

  it("confines an error or an invalid id in a range to its own cell", async () => {
    const [good] = companyIds as [string];
    const bad = { code: "#DIV/0!", type: "CustomFunctionError" };
    const outcome = await first("FINANCIAL", [[[good], [bad], [0], ["nobody"]], [["FY0"]], [["Revenue"]], null, null]);
    expect(outcome).toEqual({
      value: [
        [{ type: "FormattedNumber", basicValue: expect.any(Number), numberFormat: "#,##0" }],
        [{ error: { code: expect.any(String), message: expect.any(String) } }],
        [""],
        [{ error: { code: "#N/A", message: expect.stringMatching(/^FEED_NO_VALUE: .+; .+/) } }],
      ],
    });
  });

  it("explains an invalid argument in a sentence", async () => {
    const message = expect.stringMatching(/^FEED_ARGUMENT_INVALID: .+/);
    const error = { code: "#VALUE!", message };
    expect(await first("RANKING", ["2024-01-31", "2024-01-01", null, null, null, null])).toEqual({ error });
    expect(await first("RANKING", [0, null, null, null, null, null])).toEqual({ error });
  });

  it.each(["before", "after"])(
    "shows the last arguments' value after A, B and A again, each cancelled %s the next call",
    async (order) => {
      await open();
      const [a, b] = companyIds as [string, string];
      companion.controls.latencyMs = 60;
      const calls: number[] = [];
      for (const id of [a, b, a]) {
        const before = calls.slice(-1);
        if (order === "before") runtime.cancel(...before);
        calls.push(runtime.call("FINANCIAL", [[[id]], [["FY0"]], [["Revenue"]], null, null], STREAM));
        if (order === "after") runtime.cancel(...before, ...before);
      }
      const [first, second, last] = calls as [number, number, number];
      const { years } = await readFinancials(a);
      const latest = Math.max(...years.map(({ year }) => year));
      const outcome = toOutcome(await runtime.next(last));
      expect(toShown(outcome)).toBe(toExpected(listFigures({ companyId: a, years }, latest, "Revenue")));
      expect([first, second].flatMap((call) => runtime.results(call))).toEqual([]);
    },
  );
});
