import { afterEach, beforeEach, describe, expect, it, jest } from "@jest/globals";
import type { Argument } from "../../src/playground/arguments";
import type { Outcome } from "../../src/playground/custom-functions";
import type { Host, HostOptions } from "../../src/refresh/host";
import type { OpenedProvider } from "../../src/refresh/provider";
import { type RunningProvider, startSandbox } from "../support/provider";
import { createHome, readFunctions, toEnvironment } from "./command-surroundings";

let sandbox: RunningProvider;
let provider: OpenedProvider | undefined;
let host: Host | undefined;
const home = createHome();

/** Opens a host of its own, as each process has one. */
async function open(options: Pick<HostOptions, "settings" | "onCost"> = {}): Promise<Host> {
  jest.resetModules();
  const { openProvider } = await import("../../src/refresh/provider");
  const { openHost } = await import("../../src/refresh/host");
  provider = await openProvider({}, home.surroundings(toEnvironment(sandbox)));
  host = await openHost({ provider, metadata: await readFunctions(), ...options });
  return host;
}

/** Calls formulas as cells do, and gives their outcomes. */
async function read({ runtime, settle }: Host, ...calls: [name: string, ...given: Argument[]][]) {
  const look = () => calls.map(([name, ...given], nth) => runtime.call(name, given, `Sheet1!A${nth + 1}`));
  look();
  runtime.commit();
  await settle();
  return look();
}

const toNumber = (outcome: Outcome): number => {
  const [[cell]] = (outcome.kind === "array" ? outcome.rows : [[outcome]]) as [[Outcome]];
  return cell.kind === "value" ? Number(cell.value) : Number.NaN;
};

const countData = ({ session }: Host) => session.feed.activity.requests();

/** What keeps this process alive. */
const listResources = () => process.getActiveResourcesInfo().filter((each) => /Timeout|TCP|Message/.test(each));

beforeEach(async () => {
  sandbox = await startSandbox({ companies: 120 });
});

afterEach(async () => {
  host?.close();
  await provider?.close();
  await sandbox.close();
});

describe("the host", () => {
  it("gives a cell what the add-in gives it: tables, figures, and sentences", async () => {
    const own = await open();
    const [ranking, nobody, figure] = await read(
      own,
      ["RANKING", "2024-01", undefined, 3],
      ["COMPANY", "0000000000000", "name"],
      ["FINANCIAL", "8000000000012", 2023],
    );
    expect(ranking).toMatchObject({ kind: "array", rows: { length: 4 } });
    expect(nobody).toMatchObject({ kind: "error", code: "#N/A", message: expect.stringMatching(/^FEED_NOT_FOUND: /) });
    expect(figure).toMatchObject({ kind: "error", code: "#VALUE!" });
  });

  it("reads nothing for figures of another provider, and ends", async () => {
    const own = await open({ settings: { provider: "https://other.example" } });
    const [ranking] = await read(own, ["RANKING", "2024-01", undefined, 3]);
    expect(ranking).toMatchObject({ kind: "error", message: expect.stringMatching(/^FEED_CONFIRM_NEEDED: /) });
    expect(countData(own)).toBe(0);
  });

  it("tells how old the figures of each sheet are", async () => {
    const { runtime, settle } = await open();
    const look = (...sheets: string[]) =>
      sheets.map((sheet) => {
        runtime.call("RANKING", [sheet, undefined, 3], `${sheet}!A1`);
        return runtime.call("STATUS", ["asof", sheet], `${sheet}!B1`);
      });
    look("2024-01");
    runtime.commit();
    await settle();
    const readMs = Date.now();
    const now = jest.spyOn(Date, "now").mockImplementation(() => readMs + 3_600_000);
    look("2024-01", "2024-02");
    runtime.commit();
    await settle();
    const [first, second] = look("2024-01", "2024-02").map(toNumber) as [number, number];
    now.mockRestore();
    expect((second - first) * 24).toBeCloseTo(1, 1);
  });

  it("tells the cost of requests before it sends any", async () => {
    const costs: unknown[] = [];
    const own = await open({ onCost: (requests) => costs.push([requests, countData(own)]) });
    await read(own, ["RANKING", "2024-01", undefined, 3]);
    await read(own, ["RANKING", "2024-02", undefined, 3], ["RANKING", "2024-03", undefined, 3]);
    expect([costs, countData(own)]).toEqual([
      [
        [1, 0],
        [2, 1],
      ],
      3,
    ]);
    expect(own.heldBack()).toBe(0);
  });

  it("tells the cost of a list's further pages once its first shows how many there are", async () => {
    const costs: number[] = [];
    const own = await open({ onCost: (requests) => costs.push(requests) });
    sandbox.controls.pageCap = 30;
    const [all] = await read(own, ["UNIVERSE", "JPN"]);
    expect(all?.kind).toBe("array");
    expect([costs[0], costs.length, countData(own)]).toEqual([1, 2, expect.any(Number)]);
    expect(countData(own)).toBeLessThanOrEqual(costs.reduce((sum, each) => sum + each, 0));
  });

  it("holds back what would be above the limit of the run", async () => {
    const own = await open({ settings: { requestLimit: 3 } });
    await read(own, ["RANKING", "2024-02", undefined, 3], ["RANKING", "2024-03", undefined, 3]);
    const [held] = await read(own, ["RANKING", "2024-04", undefined, 3], ["RANKING", "2024-05", undefined, 3]);
    expect(held).toMatchObject({ message: expect.stringMatching(/^FEED_CONFIRM_NEEDED: /) });
    expect([own.heldBack(), countData(own)]).toEqual([4, 2]);
  });

  it("sends nothing where the limit is 0", async () => {
    const own = await open({ settings: { requestLimit: 0 } });
    await read(own, ["RANKING", "2024-02", undefined, 3]);
    expect([own.heldBack(), countData(own), sandbox.controls.count()]).toEqual([1, 0, expect.any(Number)]);
  });

  it("waits for a query that no cell waits for any more", async () => {
    const { session, settle } = await open();
    let answer = (_value: string) => {};
    const loaded = new Promise<string>((resolve) => {
      answer = resolve;
    });
    session.feed.queryCache.observe({ key: ["slow"], load: () => loaded }, () => {});
    let hasSettled = false;
    const settled = settle().then(() => {
      hasSettled = true;
    });
    await new Promise((resolve) => session.ports.after(200, () => resolve(undefined)));
    expect(hasSettled).toBe(false);
    answer("here");
    await settled;
  });

  it("leaves nothing behind that keeps the process alive, and gives the page's globals back", async () => {
    const before = { fetch: globalThis.fetch, resources: listResources() };
    const own = await open();
    await read(own, ["RANKING", "2024-01", undefined, 3]);
    expect(own.runtime.live()).toBe(1);
    own.close();
    await provider?.close();
    expect(listResources().length).toBeLessThanOrEqual(before.resources.length);
    expect(["location", "CustomFunctions"].filter((name) => name in globalThis)).toEqual([]);
    expect(globalThis.fetch).toBe(before.fetch);
  });
});
