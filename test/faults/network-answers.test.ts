import { gzipSync } from "node:zlib";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { drain } from "../support/clock";
import type { Answering, Received } from "../support/http-server";
import { until } from "../support/until";
import { readCells, typeRevenues } from "./revenue";
import { createTestBed, type Page, type TestBed } from "./test-bed";
import { readRevenues } from "./truth";

const PAGE = "<!doctype html><title>Sign in</title><p>Sign in to use this network.</p>";
const JSON_TYPE = { "content-type": "application/json" };
const TEXT = JSON.stringify({ companyId: "a", years: [], padding: "x".repeat(2_000) });

const resetMidBody: Answering = {
  raw(response) {
    response.writeHead(200, { ...JSON_TYPE, "content-length": TEXT.length });
    response.write(TEXT.slice(0, 1_000), () => response.socket?.resetAndDestroy());
  },
};
const resetAfterHead: Answering = {
  raw(response) {
    response.writeHead(200, { ...JSON_TYPE, "content-length": TEXT.length }).flushHeaders();
    setImmediate(() => response.socket?.resetAndDestroy());
  },
};
const truncatedGzip: Answering = {
  raw(response) {
    response.writeHead(200, { ...JSON_TYPE, "content-encoding": "gzip" });
    response.end(gzipSync(TEXT).subarray(0, 30));
  },
};
const captivePortal: Answering = { headers: { "content-type": "text/html" }, text: PAGE };
const redirect: Answering = { status: 302, headers: { location: "/login" }, text: "" };

describe.each(["direct", "proxy"] as const)("a provider (%s)", (transport) => {
  let testBed: TestBed;
  let page: Page;
  let ids: string[];
  let revenues: number[];

  beforeAll(async () => {
    testBed = await createTestBed({ transport });
    const truth = await readRevenues(testBed.read, transport === "direct" ? 80 : 1);
    [ids, revenues] = [[...truth.keys()], [...truth.values()]];
  });
  beforeEach(async () => {
    testBed.faultProxy.reset();
    page = await testBed.open();
    await page.formulas.session.connect();
    testBed.faultProxy.requests.length = 0;
  });
  afterEach(() => page.close());
  afterAll(() => testBed.close());

  it.each<[what: string, answering: Answering, sentence: RegExp]>([
    [
      "resets the connection mid-body",
      resetMidBody,
      // The companion passes on a small answer in one piece, and can report a missing one itself.
      transport === "proxy"
        ? /^#N\/A FEED_NETWORK_FAILED: the companion answered: .*could not be reached/
        : /^#N\/A FEED_NETWORK_FAILED: .*connection broke/,
    ],
    ["resets the connection after the head", resetAfterHead, /^#N\/A FEED_NETWORK_FAILED: /],
    ["sends a truncated gzip", truncatedGzip, /^#N\/A FEED_NETWORK_FAILED: .*cut off/],
    ["sends truncated JSON", { text: TEXT.slice(0, 1_000) }, /^#N\/A FEED_NETWORK_FAILED: .*cut off or is no JSON/],
    [
      "sends HTML with 200 (captive portal)",
      captivePortal,
      /^#N\/A FEED_NETWORK_FAILED: .*no JSON, as from a sign-in page/,
    ],
    ["redirects to a login", redirect, /^#N\/A FEED_(NETWORK|SERVER)_FAILED: .*redirect/],
  ])(
    "that %s gets three attempts, then the cell says so; after a single failure the value comes",
    async (_what, answering, sentence) => {
      const { faultProxy } = testBed;
      faultProxy.answer = () => answering;
      const failing = typeRevenues(page, ids.slice(0, 1));
      await page.rest();
      expect(readCells(failing)).toEqual([expect.stringMatching(sentence)]);
      expect(faultProxy.requests.map(({ path }) => path)).toEqual(Array(3).fill(pathOf(ids[0])));
      faultProxy.reset();
      faultProxy.answer = () => (faultProxy.requests.length === 1 ? answering : undefined);
      await page.formulas.session.refresh();
      await page.rest();
      expect(readCells(failing)).toEqual(revenues.slice(0, 1));
      expect(faultProxy.requests).toHaveLength(2);
    },
  );

  if (transport === "proxy") return;

  it.each<[what: string, byte: string]>([
    ["sends one byte a second", " "],
    ["never answers", ""],
  ])("that %s gets a hedging request after 15 seconds, and at 30 the cell says so", async (_what, byte) => {
    const { faultProxy } = testBed;
    let drip = () => {};
    const answering: Answering = {
      raw(response) {
        if (byte !== "") response.writeHead(200, JSON_TYPE);
        const dripOthers = drip;
        drip = () => {
          dripOthers();
          if (byte !== "") response.write(byte);
        };
      },
    };
    faultProxy.answer = () => answering;
    const cells = typeRevenues(page, ids.slice(0, 1));
    for (const attempts of [1, 2]) {
      for (let scheduler = 0; scheduler < 300 && faultProxy.requests.length < attempts; scheduler++) await drain();
      expect(faultProxy.requests).toHaveLength(attempts);
      expect(readCells(cells)).toEqual([undefined]);
      for (let second = 0; second < 15; second++) {
        drip();
        await page.clock.advance(1_000);
      }
    }
    expect(readCells(cells)).toEqual([expect.stringMatching(/^#N\/A FEED_TIMED_OUT: no answer within 30 seconds/)]);
    await until(() => faultProxy.requests.every(({ isAborted }) => isAborted()));
    await page.rest();
    expect(faultProxy.requests).toHaveLength(2);
  });

  it("that is slow with one call of six answers the others", async () => {
    const { faultProxy } = testBed;
    const isSlow = ({ body }: Received) => JSON.stringify(body).includes(ids[0] ?? "");
    let open = () => {};
    const slow = new Promise<undefined>((resolve) => (open = () => resolve(undefined)));
    faultProxy.answer = (request) => (isSlow(request) ? slow : undefined);
    const cells = typeRevenues(page, ids);
    const others = [page.formulas.type("TAXONOMY"), page.formulas.type("RANKING.INDUSTRIES", "-7d", "-1d")];
    const countShown = () => readCells([...cells, ...others]).filter((shown) => shown !== undefined).length;
    for (let scheduler = 0; scheduler < 1_000 && countShown() < ids.length - 23; scheduler++) await drain();
    expect(faultProxy.requests).toHaveLength(6);
    expect(readCells(cells)).toEqual(revenues.map((value, index) => (index < 25 ? undefined : value)));
    open();
    await page.rest();
    expect(readCells(cells)).toEqual(revenues);
    expect(faultProxy.requests).toHaveLength(6);
  });
});

const pathOf = (id = "") => `/asia/private-markets/v1/financials/companies/${id}`;
