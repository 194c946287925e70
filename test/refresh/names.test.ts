import { createHash } from "node:crypto";
import { existsSync, readdirSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, jest } from "@jest/globals";
import { createFileNameStore } from "../../src/refresh/names";
import { type RunningProvider, startSandbox } from "../support/provider";
import { createHome, readFunctions, toEnvironment } from "./command-surroundings";

const home = createHome();
const toHash = (key: string) => createHash("sha256").update(key).digest("hex");
const namesFolder = join(home.folder, "names");
let sandbox: RunningProvider;

beforeAll(async () => {
  sandbox = await startSandbox({ companies: 120 });
});
afterAll(() => sandbox.close());

/** Reads a figure of a named company as a run of its own, and gives its outcome and the requests for data. */
async function run({ provider: from = sandbox, requestLimit = 200, folder = "" } = {}) {
  jest.resetModules();
  const { openProvider } = await import("../../src/refresh/provider");
  const { openHost } = await import("../../src/refresh/host");
  const provider = await openProvider({}, home.surroundings(toEnvironment(from)));
  const costs: number[] = [];
  const onCost = (requests: number) => void costs.push(requests);
  const options = { provider, metadata: await readFunctions(), onCost, settings: { requestLimit } };
  const host = await openHost({ ...options, ...(folder !== "" && { namesFolder: folder }) });
  const look = () => host.runtime.call("FINANCIAL", ["Komorebi Education Inc.", 2023, "Revenue"], "Sheet1!A1");
  const before = from.controls.count();
  look();
  host.runtime.commit();
  await host.settle();
  const outcome = look();
  const heldBack = host.heldBack();
  host.close();
  await provider.close();
  return { outcome, costs, heldBack, requests: from.controls.count() - before };
}

it("names that a run has read are found without a request", async () => {
  const first = await run({ folder: namesFolder });
  expect(first.outcome).toMatchObject({ kind: "array", rows: [[{ value: 12819008000 }]] });
  expect(readdirSync(namesFolder)).toHaveLength(1);
  expect(statSync(namesFolder).mode & 0o077).toBe(0);
  const second = await run({ folder: namesFolder });
  expect(second.outcome).toEqual(first.outcome);
  expect(second.requests).toBeLessThan(first.requests);
});

describe("names of a country that is too large for a formula", () => {
  let large: RunningProvider;
  beforeAll(async () => {
    large = await startSandbox({ companies: 30_000 });
  });
  afterAll(() => large.close());

  it("are read within the limit, and told", async () => {
    const { outcome, costs } = await run({ provider: large });
    expect(outcome).toMatchObject({ kind: "array", rows: [[{ value: 12819008000 }]] });
    expect(costs).toEqual([1, 23, 1]);
  });

  it("are not read above it", async () => {
    const { outcome, heldBack } = await run({ provider: large, requestLimit: 20 });
    expect(outcome).toMatchObject({ kind: "error", message: expect.stringMatching(/^FEED_INDEX_NOT_READY/) });
    expect(heldBack).toBe(24);
  });
});

describe("the store of names", () => {
  const folder = join(home.folder, "store");
  const store = createFileNameStore(folder);
  const [path = ""] = ["6 index client JPN"].map((key) => join(folder, `${toHash(key)}.names`));

  it("holds values of any kind by their keys, and drops those with a prefix", async () => {
    await store.save("6 index client JPN", { ids: new Uint8Array([1, 2]), names: ["小森"] });
    await store.save("5 page client JPN a 1", 1);
    await store.save("5 page client JPN a 2", 2);
    expect(await store.load("6 index client JPN")).toEqual({ ids: new Uint8Array([1, 2]), names: ["小森"] });
    expect((await store.loadAll("5 page client JPN")).toSorted()).toEqual([1, 2]);
    expect(await store.size()).toBeGreaterThan(10);
    await store.drop("5 page client");
    expect(await store.loadAll("")).toHaveLength(1);
  });

  it("has lost what is older than a week, or damaged", async () => {
    const eightDaysAgo = new Date(Date.now() - 8 * 86_400_000);
    utimesSync(path, eightDaysAgo, eightDaysAgo);
    expect(await store.load("6 index client JPN")).toBeUndefined();
    expect(existsSync(path)).toBe(false);
    writeFileSync(path, "damaged");
    expect(await store.load("6 index client JPN")).toBeUndefined();
    expect(await store.loadAll("6")).toEqual([]);
  });

  it("holds nothing where its folder cannot be, without an error", async () => {
    const none = createFileNameStore(join(path, "folder"));
    await none.save("key", 1);
    expect([await none.load("key"), await none.loadAll(""), await none.size()]).toEqual([undefined, [], 0]);
    expect(await store.dropAll()).toBe(true);
    expect(await store.size()).toBe(0);
  });
});
