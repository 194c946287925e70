import { afterAll, beforeAll, expect, it } from "@jest/globals";
import type { ProviderServer } from "../companion/provider-server";
import { type Analyst, signAllIn } from "./analyst";
import { createCollector, findAll, listAbove, readSpans, toFacts } from "./collector";
import { type Firm, startFirm } from "./firm";

const ANALYSTS = 3;
const COMPANIES = 30;
const LONGEST_MS = 60_000;

let collector: ProviderServer;
let firm: Firm;
let analysts: Analyst[] = [];

beforeAll(async () => {
  collector = await createCollector();
  const settings = {
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${collector.port}`,
    OTEL_EXPORTER_OTLP_HEADERS: "x-tenant=feed",
  };
  firm = await startFirm({ companies: COMPANIES, settings });
}, LONGEST_MS);
afterAll(async () => {
  for (const analyst of analysts) await analyst.leave();
  await firm.close();
  await collector.close();
}, LONGEST_MS);

it(
  "the built companion of a firm sends its traces before it ends, each from a reader's request to the provider or the store",
  async () => {
    analysts = await signAllIn(firm, ANALYSTS);
    const everyCompany = Array.from({ length: COMPANIES }, (_, place) => place);
    for (const analyst of analysts) expect((await analyst.fill(everyCompany, 1)).failed).toEqual([]);
    await Promise.all(firm.programs.instances.map(({ stop }) => stop()));
    const spans = readSpans(collector);
    const reads = findAll(spans, "feed.read");
    const ids = reads.map((span) => toFacts(span)["feed.request_id"]);
    expect(reads.length).toBeGreaterThanOrEqual(ANALYSTS);
    expect(new Set(ids).size).toBe(reads.length);
    const requests = findAll(spans, "feed.request");
    expect(requests.length).toBeGreaterThan(0);
    expect(requests.map((span) => listAbove(spans, span).at(-1))).toEqual(requests.map(() => "feed.read"));
    expect(findAll(spans, "feed.store").map((span) => listAbove(spans, span).at(-1))).toContain("feed.read");
    expect(new Set(collector.seen.map(({ headers }) => headers["x-tenant"]))).toEqual(new Set(["feed"]));
  },
  LONGEST_MS,
);
