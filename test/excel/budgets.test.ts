import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { readSheet, toFunctionCalls } from "../bench/excel/sheet";
import type { FunctionCall } from "../office/bridge";
import { createOfficeRuntime, type OfficeRuntime } from "../office/runtime";
import { type RunningCompanion, startCompanion } from "../support/companion";
import { createDirectReading } from "../support/direct-reading";

const BUNDLE = readFileSync(join(__dirname, "../../dist/web/functions.js"), "utf8");

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
let calls: FunctionCall[];
/** The length of the provider's answers for the companies, one by one. */
let leastBytes: number;
let receivedBytes: number;
let runtime: OfficeRuntime;

beforeAll(async () => {
  companion = await startCompanion();
  const sheet = await readSheet(companion.origin);
  calls = toFunctionCalls(sheet);
  const read = await createDirectReading(companion.origin);
  leastBytes = 0;
  for (const id of sheet.companyIds) {
    leastBytes += JSON.stringify(await read(`/asia/private-markets/v1/financials/companies/${id}`)).length;
  }
  companion.controls.reset();
  receivedBytes = 0;
  runtime = createOfficeRuntime({ origin: companion.origin, fetch: measuredFetch });
  runtime.load(BUNDLE);
  await runtime.ready;
});

afterAll(async () => {
  runtime.dispose();
  await companion.close();
});

const measuredFetch: typeof fetch = async (...request) => {
  const response = await fetch(...request);
  const text = await response.text();
  if (response.url.includes("/financials")) receivedBytes += text.length;
  return new Response(response.status === 204 ? null : text, response);
};

describe("14,000 figures of 100 companies on the genuine runtime", () => {
  it("take four requests, one result each, few of the provider's bytes, and three timers for each hundred", async () => {
    const { messagesSent } = runtime;
    const countTimers = runtime.evaluate(COUNTING) as () => number;
    await runtime.settled(runtime.callMany(calls));
    expect(companion.controls.count("getFinancialsOfMany")).toBe(4);
    expect(companion.controls.count("getCompanyFinancials")).toBe(0);
    const results = messagesSent.flat().filter(({ name }) => name === "SetInvocationArrayResults");
    expect(results.map((sent) => (sent.arguments[0] as unknown[]).length).reduce((sum, some) => sum + some)).toBe(
      14_000,
    );
    expect(results.length).toBeLessThanOrEqual(4);
    expect(receivedBytes / leastBytes).toBeLessThan(1.01);
    expect(countTimers() / 14_000).toBeLessThan(0.03);
  });

  it("hold less than 2 KB each while they live, answers included", () => {
    // In a separate process, since the test's own memory would distort the figure.
    const flags = ["--expose-gc", "--require", join(__dirname, "../support/typescript.cjs")];
    const { stdout, stderr } = spawnSync(process.execPath, [...flags, join(__dirname, "cell-memory.ts")]);
    expect(String(stderr)).toBe("");
    const { own, bare } = JSON.parse(String(stdout)) as { own: number; bare: number };
    expect(own - bare).toBeLessThan(2 * 1024);
    expect(own - bare).toBeGreaterThan(256); // less would mean that no formula ran
  });
});
