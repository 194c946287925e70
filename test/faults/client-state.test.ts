import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import type { OperationId } from "../../src/contract/constants";
import { createControls } from "../../src/sandbox";
import { type RunningCompanion, startCompanion } from "../support/companion";
import type { FormulaCell } from "../support/formula-cells";
import type { Received } from "../support/http-server";
import { until } from "../support/until";
import { expectFilled } from "./full-workbook";
import { readCells, typeRevenues } from "./revenue";
import { createTestBed, openPage, type Page, type TestBed } from "./test-bed";
import { readRevenues } from "./truth";

let testBed: TestBed;
let revenues: Map<string, number>;
let ids: string[];
let pages: Page[];
let companions: RunningCompanion[];

beforeAll(async () => {
  testBed = await createTestBed({ companies: 400 });
  revenues = await readRevenues(testBed.read, 80);
  ids = [...revenues.keys()];
});
beforeEach(() => {
  testBed.provider.controls.reset();
  testBed.faultProxy.reset();
  pages = [];
  companions = [];
});
afterEach(async () => {
  for (const page of pages) page.close();
  await Promise.all(companions.map((companion) => companion.close()));
});
afterAll(() => testBed.close());

async function open(): Promise<Page> {
  const page = await testBed.open();
  pages.push(page);
  return page;
}

const type = (page: Page, id: string | undefined) => page.formulas.type("FINANCIAL", [[id]], [[2023]], [["Revenue"]]);

const count = (operation: OperationId) => testBed.provider.controls.count(operation);

describe("two windows", () => {
  it("exchange and renew at most one token each", async () => {
    const windows = [await open(), await open()];
    const cells = windows.map((page) => typeRevenues(page, ids.slice(0, 50)));
    await Promise.all(windows.map((page) => page.rest()));
    testBed.provider.controls.dropTokens();
    await Promise.all(windows.map((page) => page.formulas.session.refresh()));
    const truth = ids.slice(0, 50).map((id) => revenues.get(id));
    for (const own of cells) expect(readCells(own)).toEqual(truth);
    expect(count("createToken")).toBe(4);
  });
});

describe("a workbook of 1,500 formulas", () => {
  it("shows its progress, and is answered by a few requests and one token", async () => {
    await expectFilled(await open(), testBed, revenues, { years: 2, copies: 5 });
  });
});

describe("a companion that restarts while figures are pending", () => {
  it("answers them, since interrupted requests are retried", async () => {
    const controls = createControls();
    controls.latencyMsOf = { getFinancialsOfMany: 60_000 };
    const first = await startCompanion({ companies: 400, controls });
    const page = await openPage(first.origin, { hurryMs: 100 });
    pages.push(page);
    companions.push(first);
    const cells = typeRevenues(page, ids.slice(0, 30));
    await until(() => controls.count("getFinancialsOfMany") === 2);
    await first.kill();
    const second = await startCompanion({ companies: 400, port: Number(new URL(first.origin).port) });
    companions.push(second);
    for (let waits = 0; waits < 20 && cells.some(({ shown }) => shown.length === 0); waits++)
      await page.clock.advance(500);
    await page.rest();
    expect(cells.map(({ shown }) => shown)).toEqual(ids.slice(0, 30).map((id) => [[[revenues.get(id)]]]));
    expect(second.controls.count("getFinancialsOfMany")).toBeLessThanOrEqual(4);
  });
});

describe("a cell whose arguments change quickly", () => {
  /** Delays the answers for two companies until they are released, and lets no grace period pass. */
  const hold = async () => {
    const page = await testBed.open({ hurryMs: 100 });
    pages.push(page);
    const isOf = (id: string) => (request: Received) => request.path.endsWith(`/${id}`);
    const gates = new Map(ids.slice(0, 2).map((id) => [id, testBed.faultProxy.hold(isOf(id))]));
    const isRequested = (id: string) => testBed.faultProxy.requests.some(isOf(id));
    return { page, isRequested, free: (id: string) => gates.get(id)?.() };
  };

  it.each(["AB", "BA"])("shows the last value after A, B and A again, answered in the order %s", async (late) => {
    const { page, isRequested, free } = await hold();
    const [a, b] = ids as [string, string];
    const typed: FormulaCell[] = [];
    for (const id of [a, b, a]) {
      const cell = type(page, id);
      typed.at(-1)?.cancel();
      typed.push(cell);
      await until(() => isRequested(id));
    }
    for (const id of late) free(id === "A" ? a : b);
    await until(() => typed.at(-1)?.shown.length === 1);
    await page.clock.advance(60_000);
    expect(typed.map(({ shown }) => shown)).toEqual([[], [], [[[revenues.get(a)]]]]);
    expect(count("getCompanyFinancials")).toBeLessThanOrEqual(2);
  });

  it("shows nothing after its cancel, whether late, twice or before the answer", async () => {
    const { page, isRequested, free } = await hold();
    const [a] = ids as [string];
    const old = type(page, a);
    const now = type(page, a);
    old.cancel();
    old.cancel();
    await until(() => isRequested(a));
    free(a);
    await until(() => now.shown.length === 1);
    old.cancel();
    expect([old.shown, now.shown]).toEqual([[], [[[revenues.get(a)]]]]);
    expect(count("getCompanyFinancials")).toBe(1);
    now.cancel();
    now.cancel();
    await page.clock.advance(60_000);
    expect([now.shown.length, page.clock.timers()]).toEqual([1, 0]);
  });
});
