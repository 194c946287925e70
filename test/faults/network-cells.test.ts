import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { until } from "../support/until";
import { readCells, typeRevenues } from "./revenue";
import { createTestBed, type Page, type TestBed } from "./test-bed";
import { readRevenues } from "./truth";

let testBed: TestBed;
let page: Page;
let ids: string[];
let revenues: number[];
let isThere = true;
let listeners: (() => void)[];
const network = { isThere: () => isThere, watch: (listener: () => void) => void listeners.push(listener) };

beforeAll(async () => {
  testBed = await createTestBed();
  const truth = await readRevenues(testBed.read, 30);
  [ids, revenues] = [[...truth.keys()], [...truth.values()]];
});
beforeEach(async () => {
  listeners = [];
  page = await testBed.open({ network });
  await page.formulas.session.connect();
  testBed.faultProxy.reset();
});
afterEach(() => page.close());
afterAll(() => testBed.close());

function setNetwork(is: boolean): void {
  isThere = is;
  for (const notify of listeners) notify();
}

describe("cells of a slow request", () => {
  it("come later than those of another request, which do not wait for it", async () => {
    const letGo = testBed.faultProxy.hold(({ body }) => JSON.stringify(body).includes(ids[0] ?? ""));
    const cells = typeRevenues(page, ids);
    await until(() => readCells(cells).filter((shown) => shown !== undefined).length === ids.length - 25);
    expect(readCells(cells)).toEqual(revenues.map((value, index) => (index < 25 ? undefined : value)));
    letGo();
    await page.rest();
    expect(readCells(cells)).toEqual(revenues);
  });
});

describe("cells that have their values", () => {
  it("send nothing when F9 reruns their formulas twenty times", async () => {
    let cells = typeRevenues(page, ids);
    await page.rest();
    const requestsBefore = testBed.faultProxy.requests.length;
    for (let pressed = 0; pressed < 20; pressed++) {
      const before = cells;
      const cancel = () => before.forEach((each) => void each.cancel());
      const isCancelledFirst = pressed % 2 === 1; // hosts do it in either order
      if (isCancelledFirst) cancel();
      await page.rest();
      cells = typeRevenues(page, ids);
      if (!isCancelledFirst) cancel();
    }
    await page.rest();
    expect(readCells(cells)).toEqual(revenues);
    expect(testBed.faultProxy.requests).toHaveLength(requestsBefore);
  });

  it("keep them offline, and refetch failed ones automatically afterwards", async () => {
    const cells = typeRevenues(page, ids.slice(0, 5));
    await page.rest();
    testBed.faultProxy.answer = () => ({ raw: (response) => response.destroy() });
    setNetwork(false);
    await page.formulas.session.refresh();
    const late = typeRevenues(page, ids.slice(5, 6));
    await page.rest();
    expect(readCells(cells)).toEqual(revenues.slice(0, 5));
    expect(readCells(late)).toEqual([expect.stringMatching(/^#N\/A FEED_NETWORK_FAILED: /)]);
    expect(page.formulas.session.offlineSinceMs()).not.toBeNull();
    testBed.faultProxy.reset();
    setNetwork(true);
    await page.rest();
    expect(readCells([...cells, ...late])).toEqual(revenues.slice(0, 6));
  });
});
