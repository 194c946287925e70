import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { openPairings } from "../../src/companion/commands/open-stores";

const PAIRING = { id: "1", origin: "https://localhost:3000", provider: "sample", pairedAtMs: 1, hash: "00" };
const CODE = { hash: "00", expiresAtMs: 1, triesLeft: 5 };
const REQUEST = { name: "K7QD", page: "00", origin: "https://localhost:3000", expiresAtMs: 1 };
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "pairings-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

function list(state: unknown) {
  writeFileSync(join(folder, "pairings.json"), JSON.stringify(state), { mode: 0o600 });
  return openPairings({ environment: {}, webFolder: "", print: () => {}, folder }).list();
}

describe("a file of pairings", () => {
  it("is read as it was written", async () => {
    expect(await list({ code: CODE, pairings: [PAIRING] })).toEqual([PAIRING]);
    expect(await list({ code: null, pairings: [] })).toEqual([]);
    expect(await list({ code: null, pairings: [PAIRING], requests: [REQUEST] })).toEqual([PAIRING]);
  });

  it.each([
    ["no list", { code: null, pairings: 5 }],
    ["nothing in place of a pairing", { code: null, pairings: [null] }],
    ["a pairing of no time", { code: null, pairings: [{ ...PAIRING, pairedAtMs: undefined }] }],
    ["a pairing of a time that is none", { code: null, pairings: [{ ...PAIRING, pairedAtMs: 1e300 }] }],
    ["a pairing of nobody", { code: null, pairings: [{ ...PAIRING, origin: 7 }] }],
    ["nothing in place of a request", { code: null, pairings: [], requests: [null] }],
    ["a request of nobody", { code: null, pairings: [], requests: [{ ...REQUEST, page: 7 }] }],
    ["half a code", { code: { hash: "00" }, pairings: [] }],
  ])("that holds %s is refused with a sentence", async (_what, state) => {
    await expect(list(state)).rejects.toThrow(
      `${join(folder, "pairings.json")} does not hold what this program wrote. Mend it, or delete it and set up again.`,
    );
  });
});
