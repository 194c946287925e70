import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { METRICS } from "../../src/contract/constants";
import type { CompanyFinancials, CompanyPage } from "../../src/contract/types";
import { type RunningCompanion, startCompanion } from "../support/companion";
import { createDirectReading } from "../support/direct-reading";
import { createOfficeRuntime, type OfficeRuntime } from "../support/office-runtime";

const BUNDLE = readFileSync(join(__dirname, "../../dist/web/functions.js"), "utf8");
const METRIC_NAMES = Object.values(METRICS).flat().slice(0, 14);
const COMPANIES = 100;
const YEARS = 10;

/** Counted in the page: what a host's engine is asked for besides running code. */
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
let companyIds: string[];
let years: number[];
/** Length of what the provider answers about the companies, each asked for by itself. */
let leastBytes: number;
let receivedBytes: number;
let runtime: OfficeRuntime;

beforeAll(async () => {
  companion = await startCompanion();
  const read = await createDirectReading(companion.origin);
  const page = await read<CompanyPage>(`/asia/private-markets/v1/companies?country=ALL&page_size=${COMPANIES}`);
  companyIds = page.data.map(({ id }) => id);
  leastBytes = 0;
  for (const id of companyIds) {
    const financials = await read<CompanyFinancials>(`/asia/private-markets/v1/financials/companies/${id}`);
    leastBytes += JSON.stringify(financials).length;
    years = financials.years.map(({ year }) => year).slice(0, YEARS);
  }
});

beforeEach(async () => {
  companion.controls.reset();
  receivedBytes = 0;
  runtime = createOfficeRuntime({ origin: companion.origin, fetch: measuredFetch });
  runtime.load(BUNDLE);
  await runtime.ready;
});

afterEach(() => runtime.dispose());

afterAll(() => companion.close());

const measuredFetch: typeof fetch = async (...request) => {
  const response = await fetch(...request);
  const text = await response.text();
  if (response.url.includes("/financials")) receivedBytes += text.length;
  return new Response(response.status === 204 ? null : text, response);
};

const callsOf = (ids: readonly string[]) =>
  ids.flatMap((id) =>
    years.flatMap((year) =>
      METRIC_NAMES.map((metric) => ({
        functionName: "FINANCIAL",
        parameters: [[[id]], [[year]], [[metric]], null, null],
        stream: true,
        cancelable: true,
        allowErrors: true,
      })),
    ),
  );

const fill = (ids: readonly string[]) => runtime.settled(runtime.callMany(callsOf(ids)));

describe("14,000 figures of 100 companies on the genuine runtime", () => {
  it("take four requests, a result each, and no more of the provider's answers than there is to say", async () => {
    const { messagesSent } = runtime;
    await fill(companyIds);
    expect(companion.controls.count("getFinancialsOfMany")).toBe(4);
    expect(companion.controls.count("getCompanyFinancials")).toBe(0);
    const results = messagesSent.flat().filter(({ name }) => name === "SetInvocationArrayResults");
    expect(results.map((sent) => (sent.arguments[0] as unknown[]).length).reduce((sum, some) => sum + some)).toBe(
      14_000,
    );
    expect(results.length).toBeLessThanOrEqual(4);
    expect(receivedBytes / leastBytes).toBeLessThan(1.01);
  });

  it("set three timers for each hundred cells at most", async () => {
    const countTimers = runtime.evaluate(COUNTING) as () => number;
    await fill(companyIds);
    expect(countTimers() / 14_000).toBeLessThan(0.03);
  });

  it("hold less than 2 KB each while they live, their answers among it, beside what the runtime holds", () => {
    // In a process of its own: what else a test holds and lets go would be more than what is measured.
    const flags = ["--expose-gc", "--require", join(__dirname, "../support/typescript.cjs")];
    const { stdout, stderr } = spawnSync(process.execPath, [...flags, join(__dirname, "cell-memory.ts")]);
    expect(String(stderr)).toBe("");
    const { own, bare } = JSON.parse(String(stdout)) as { own: number; bare: number };
    expect(own - bare).toBeLessThan(2 * 1024);
    expect(own - bare).toBeGreaterThan(256); // less would be no formula of ours
  });
});
