import { gzipSync } from "node:zlib";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import type { Answering } from "../support/http-server";
import { readCells, typeRevenues } from "./revenue";
import { createTestBed, type Page, type TestBed } from "./test-bed";
import { readRevenues } from "./truth";

const JSON_TYPE = { "content-type": "application/json" };
const TEXT = JSON.stringify({ companyId: "a", years: [], padding: "x".repeat(2_000) });

const resetMidBody: Answering = {
  raw(response) {
    response.writeHead(200, { ...JSON_TYPE, "content-length": TEXT.length });
    response.write(TEXT.slice(0, 1_000), () => response.socket?.resetAndDestroy());
  },
};
const truncatedGzip: Answering = {
  raw(response) {
    response.writeHead(200, { ...JSON_TYPE, "content-encoding": "gzip" });
    response.end(gzipSync(TEXT).subarray(0, 30));
  },
};
const captivePortal: Answering = { headers: { "content-type": "text/html" }, text: "<!doctype html><p>Sign in.</p>" };

/** The companion passes on a small answer in one piece, and can report a missing one itself. */
const BY_COMPANION = /^#N\/A FEED_NETWORK_FAILED: the companion answered: .*could not be reached/;

describe.each<["direct" | "proxy", [what: string, answering: Answering, sentence: RegExp][]]>([
  [
    "direct",
    [
      ["resets the connection mid-body", resetMidBody, /^#N\/A FEED_NETWORK_FAILED: .*connection broke/],
      ["sends a truncated gzip", truncatedGzip, /^#N\/A FEED_NETWORK_FAILED: .*cut off/],
      ["sends HTML with 200", captivePortal, /^#N\/A FEED_NETWORK_FAILED: .*no JSON, as from a sign-in page/],
    ],
  ],
  ["proxy", [["resets the connection mid-body", resetMidBody, BY_COMPANION]]],
])("a provider (%s)", (transport, cases) => {
  let testBed: TestBed;
  let page: Page;
  let revenues: Map<string, number>;

  beforeAll(async () => {
    testBed = await createTestBed({ transport });
    revenues = await readRevenues(testBed.read, 1);
  });
  beforeEach(async () => {
    testBed.faultProxy.reset();
    page = await testBed.open();
    await page.formulas.session.connect();
    testBed.faultProxy.reset();
  });
  afterEach(() => page.close());
  afterAll(() => testBed.close());

  it.each(cases)(
    "that %s gets three attempts, then the cell says so; after a single failure the value comes",
    async (_what, answering, sentence) => {
      const { faultProxy } = testBed;
      faultProxy.answer = () => answering;
      const failing = typeRevenues(page, revenues.keys());
      await page.rest();
      expect(readCells(failing)).toEqual([expect.stringMatching(sentence)]);
      expect(faultProxy.requests).toHaveLength(3);
      faultProxy.reset();
      faultProxy.answer = () => (faultProxy.requests.length === 1 ? answering : undefined);
      await page.formulas.session.refresh();
      await page.rest();
      expect(readCells(failing)).toEqual([...revenues.values()]);
      expect(faultProxy.requests).toHaveLength(2);
    },
  );
});
