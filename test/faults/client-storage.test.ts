import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from "@jest/globals";
import "fake-indexeddb/auto";
import { IDBFactory } from "fake-indexeddb";
import { changeRows, readPersisted, untilPersisted } from "../feed/persisted-cache-storage";
import { drain } from "../support/clock";
import { readCells, typeRevenues } from "./revenue";
import { createTestBed, type Page, type TestBed } from "./test-bed";
import { readRevenues } from "./truth";

const surroundings = globalThis as { indexedDB?: unknown };

let testBed: TestBed;
let revenues: Map<string, number>;
let page: Page;

beforeAll(async () => {
  testBed = await createTestBed();
  revenues = await readRevenues(testBed.read, 3);
});
beforeEach(async () => {
  surroundings.indexedDB = new IDBFactory();
  page = await testBed.open();
});
afterEach(async () => {
  page.close();
  jest.restoreAllMocks();
  await drain();
});
afterAll(async () => {
  await testBed.close();
  delete surroundings.indexedDB;
});

/** The cells for each company; each has its own query, and so its own persisted answer. */
async function show(): Promise<unknown[]> {
  const cells = typeRevenues(page, revenues.keys());
  await page.rest();
  return readCells(cells);
}

/** Opens the workbook's page again, as on another day. */
async function reopen(): Promise<void> {
  page.close();
  testBed.faultProxy.reset();
  page = await testBed.open();
}

const truth = () => [...revenues.values()];
const countData = () => testBed.faultProxy.requests.filter(({ path }) => path.includes("/financials")).length;

describe("the persisted cache", () => {
  it("is refetched if it is damaged, with the right values", async () => {
    await show();
    await untilPersisted(3);
    await changeRows("", (row) => ({ ...row, text: row.text?.slice(0, -3) }));
    await reopen();
    expect(await show()).toEqual(truth());
    expect(countData()).toBe(1);
  });
});

describe("cells show their values", () => {
  it("if the browser's storage is full", async () => {
    jest.spyOn(IDBObjectStore.prototype, "put").mockImplementation(() => {
      throw new DOMException("no room is left", "QuotaExceededError");
    });
    expect(await show()).toEqual(truth());
    expect((await readPersisted()).answers.size).toBe(0);
    await reopen();
    expect(await show()).toEqual(truth());
    expect(countData()).toBe(1);
  });

  it("if the browser blocks its storage", async () => {
    jest.spyOn(surroundings.indexedDB as IDBFactory, "open").mockImplementation(() => {
      throw new DOMException("denied", "SecurityError");
    });
    page.close();
    page = await testBed.open({
      storage: () => {
        throw new DOMException("denied", "SecurityError");
      },
    });
    await page.formulas.session.pair(await testBed.companion.pairings.issueSent());
    expect(await show()).toEqual(truth());
  });

  it("if there is no storage at all", async () => {
    delete surroundings.indexedDB;
    page.close();
    page = await testBed.open({
      storage: () => {
        throw new ReferenceError("localStorage is not defined");
      },
    });
    await page.formulas.session.pair(await testBed.companion.pairings.issueSent());
    expect(await show()).toEqual(truth());
  });
});
