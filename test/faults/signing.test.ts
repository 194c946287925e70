import { generateKeyPairSync } from "node:crypto";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { decodeJwt } from "jose";
import { createKeySigner } from "../../src/companion/assertion";
import type { Client } from "../../src/companion/client";
import { readCells, typeRevenues } from "./revenue";
import { createTestBed, type Page, type TestBed } from "./test-bed";
import { readRevenues } from "./truth";

let testBed: TestBed;
let page: Page;
let ids: string[];
let revenues: number[];
/** How far the provider's clock is behind this computer's, in milliseconds. */
let behindMs = 0;
let signers: Client["signers"];

beforeAll(async () => {
  testBed = await createTestBed({ transport: "proxy", nowMs: () => Date.now() - behindMs });
  signers = testBed.client.signers;
  const truth = await readRevenues(testBed.read, 1);
  [ids, revenues] = [[...truth.keys()], [...truth.values()]];
});
/** Each test starts with a connected page without a token. */
beforeEach(async () => {
  page = await testBed.open();
  await page.formulas.session.connect();
  testBed.faultProxy.reset();
  testBed.provider.controls.reset();
  page.formulas.session.feed.token.forget();
});
afterEach(() => {
  page.close();
  testBed.client.signers = signers;
  behindMs = 0;
});
afterAll(() => testBed.close());

/** Types the first company's Revenue, and gives the final content of its cell. */
async function showFirst(): Promise<unknown> {
  const cells = typeRevenues(page, ids);
  await page.rest();
  return readCells(cells)[0];
}

/** The assertions that the provider received. */
function listAssertions() {
  const exchanges = testBed.faultProxy.requests.filter(({ method, path }) => method === "POST" && path === "/token");
  return exchanges.map(({ body }) => decodeJwt(new URLSearchParams(String(body)).get("client_assertion") ?? ""));
}

describe("an assertion", () => {
  it("with an unknown kid is tried twice, and the cell names the kid", async () => {
    const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
    testBed.client.signers = [createKeySigner("new-key", privateKey)];
    expect(await showFirst()).toMatch(/^#N\/A FEED_TOKEN_REFUSED: .* with key "new-key" \(401/);
    expect(listAssertions()).toHaveLength(2);
  });

  it("by a clock minutes off is signed once more by the provider's time, as are later ones", async () => {
    behindMs = 7 * 60_000;
    expect(await showFirst()).toBe(revenues[0]);
    expect(listAssertions()).toHaveLength(2);
    testBed.faultProxy.reset();
    page.formulas.session.feed.token.forget();
    await page.formulas.session.refresh();
    const [assertion, ...others] = listAssertions();
    expect(others).toEqual([]);
    expect(Math.abs(Date.now() / 1000 - behindMs / 1000 - (assertion?.iat ?? 0))).toBeLessThan(30);
  });
});

describe("a page", () => {
  it("says in its cells that its pairing was revoked, and nothing is signed for it", async () => {
    await testBed.companion.pairings.revoke();
    expect(await showFirst()).toMatch(/^#N\/A FEED_SIGNER_REFUSED: .*not paired.*enter the pairing code/);
    expect([page.formulas.session.pairing(), testBed.faultProxy.requests]).toEqual(["wanted", []]);
    await page.formulas.session.pair(await testBed.companion.pairings.issueSent());
  });

  it("says in its cells that its companion is down", async () => {
    await page.formulas.session.connect();
    testBed.faultProxy.reset();
    await testBed.companion.close();
    expect(await showFirst()).toMatch(/^#N\/A FEED_SIGNER_UNREACHABLE: the companion does not answer; start it/);
    expect(testBed.faultProxy.requests).toEqual([]);
  });
});
