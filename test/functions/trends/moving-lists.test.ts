import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { createMovingLists, type Moving, type MovingLists } from "../../faults/moving-lists";
import { createTestBed, type Page, type TestBed } from "../../faults/test-bed";

let testBed: TestBed;
let page: Page;
let lists: MovingLists;

beforeAll(async () => {
  testBed = await createTestBed({ companies: 10 });
});
beforeEach(async () => {
  lists = createMovingLists();
  testBed.faultProxy.reset();
  testBed.faultProxy.answer = (request) => lists.answer(request);
  page = await testBed.open();
});
afterEach(() => page.close());
afterAll(() => testBed.close());

const MANNERS: Moving["manner"][] = ["rests", "drifts", "leaves", "swaps", "shuffles", "omits", "doubles"];
const COUNT = 300;

/** The names of the ranking before it changes and after, in their order. */
function listMoments(manner: Moving["manner"]): string[][] {
  const before = Array.from({ length: COUNT }, (_, at) => `Company ${at + 1}`);
  if (manner === "drifts") return [before, [`Company ${COUNT + 1}`, ...before]];
  return manner === "leaves" ? [before, before.filter((_, at) => at !== 9)] : [before];
}

/** Shows a formula of two rankings that move so, in pages of some rows; null where it is an error that says why. */
async function show(moving: Pick<Moving, "manner" | "cap">, name: string, ...parameters: unknown[]) {
  Object.assign(lists.moving, { ...moving, count: COUNT });
  const cell = page.formulas.type(name, ...parameters);
  await page.rest();
  const shown = cell.shown.at(-1) ?? [];
  if (shown.length !== 1) return shown;
  expect(shown[0]?.[0]).toMatch(/^#N\/A FEED_RESPONSE_MALFORMED: /);
  expect(moving.manner).not.toBe("rests");
  return null;
}

const isError = (cell: unknown) => String(cell).startsWith("#");

/** Whether these ranks are of one moment, or of one in which rows of equal rank stand in another order. */
function areOfOneMoment(
  manner: Moving["manner"],
  ranked: readonly (readonly [name: string, rank: unknown])[],
): boolean {
  const inOrder = manner === "swaps" || manner === "shuffles";
  const isAt = (moment: readonly string[]) =>
    ranked.every(([name, rank]) =>
      inOrder ? Math.abs(moment.indexOf(name) + 1 - Number(rank)) < 8 : moment[Number(rank) - 1] === name,
    );
  const isOnce = new Set(ranked.map(([, rank]) => rank)).size === ranked.length;
  return isOnce && listMoments(manner).some(isAt);
}

describe.each(MANNERS)("rankings whose pages change so between requests: %s", (manner) => {
  it.each([25, 100, 1_000])("give TREND the ranks of one moment or an error, in pages of %d", async (cap) => {
    const shown = await show({ manner, cap }, "RANKING.TREND", [["all"]], "2024-01,2024-02", null, null, false);
    if (shown === null) return;
    for (const column of [2, 3]) {
      const ranked = shown.flatMap((row): [string, unknown][] =>
        isError(row[column]) ? [] : [[String(row[0]), row[column]]],
      );
      expect(areOfOneMoment(manner, ranked)).toBe(true);
    }
  });

  it.each([25, 100, 1_000])("give MOVERS no false move or an error, in pages of %d", async (cap) => {
    const fields = "companyName,rank,previous.rank,change.rank";
    const shown = await show({ manner, cap }, "RANKING.MOVERS", "2024-02", null, "all", null, null, fields, false);
    if (shown === null) return;
    const toRanked = (place: number) =>
      shown.flatMap((row): [string, unknown][] =>
        typeof row[place] === "number" ? [[String(row[0]), row[place]]] : [],
      );
    expect([1, 2].map((place) => areOfOneMoment(manner, toRanked(place)))).toEqual([true, true]);
    const moves = shown.filter((row) => row.slice(1).every((cell) => typeof cell === "number"));
    expect(moves.filter(([, rank, previous, change]) => Number(previous) - Number(rank) !== change)).toEqual([]);
  });
});
