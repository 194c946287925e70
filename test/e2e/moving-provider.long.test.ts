import { beforeAll, describe, expect, it } from "@jest/globals";
import type { Page, Route } from "playwright-core";
import { OPERATIONS } from "../../src/contract/constants";
import { createChance } from "../support/chance";
import { openTab } from "../support/pane-page";
import { until } from "../support/until";
import { pane, readRange, refreshAll } from "./playground-page";
import { createPlaygroundPage } from "./surroundings";

/** The weeks that the sheets compare, and their first days. */
const WEEKS = ["2024-01-15", "2024-01-22", "2024-01-29"];
const PERIODS = "2024-W03:2024-W05";
const [LATEST, FORMER] = [2, 1];
const TOP = 10;
const COUNT = 40;

interface Ranked {
  name: string;
  code: string;
  views: number;
}

/** The order of a week at a reading of the provider, which counts anew each time; some come and go. */
function rankWeek(week: number, reading: number): Ranked[] {
  const chance = createChance(1_000 * reading + 10 * week);
  const all = Array.from({ length: COUNT }, (_, at) => ({
    name: `Company ${at + 1}`,
    code: `C${100 + at}`,
    views: 100 * (COUNT - at) + chance.below(2_500),
  }));
  const present = all.filter((_, at) => at < TOP || !chance.happens(0.15));
  // Whole hundreds, so that some have equal views.
  return present
    .map((each) => ({ ...each, views: 100 * Math.round(each.views / 100) }))
    .sort((one, other) => other.views - one.views);
}

const at = createPlaygroundPage({ isKept: true });
let page: Page;
let reading = 1;

beforeAll(async () => {
  ({ page } = at);
  page.setDefaultTimeout(30_000);
  await page.route(`**${OPERATIONS.rankCompanies.path}?**`, serve);
}, 120_000);

/** Answers a ranking in place of the provider. */
async function serve(route: Route): Promise<void> {
  const query = new URL(route.request().url()).searchParams;
  const week = WEEKS.indexOf(String(query.get("start_datetime")).slice(0, 10));
  if (week < 0) return route.continue();
  const [number, size] = [Number(query.get("page")), Number(query.get("page_size"))];
  const rows = rankWeek(week, reading);
  const data = rows.slice((number - 1) * size, number * size).map(({ name, code, views }) => ({
    companyName: name,
    tickerSymbol: code,
    headquarters: "Tokyo",
    totalPageViews: views,
    totalUniquePageViews: views,
    engagementTime: null,
  }));
  return route.fulfill({ json: { data, page: number, pageSize: size, total: rows.length } });
}

/** Makes a sheet of the three weeks; gives the line and the rows of its table. */
async function make(template: string, cells: [cell: string, value: string][]): Promise<void> {
  const frame = pane(page);
  await openTab(frame, "Sheets");
  await frame.getByRole("radio", { name: new RegExp(`^${template}`) }).check();
  await frame.getByRole("button", { name: "Create sheet" }).click();
  await frame.getByRole("button", { name: `Show ${template}`, exact: true }).waitFor();
  await page.evaluate((all) => window.playground.setMany(all), cells);
}

const on = (sheet: string, range: string) => readRange(page, `'${sheet}'!${range}`);

/** Reads a sheet's table as soon as its first row names the present first. */
async function readTable(sheet: string, range: string, first: (row: readonly unknown[]) => boolean) {
  let rows: unknown[][] = [];
  await until(async () => {
    rows = await on(sheet, range);
    return rows[0] !== undefined && first(rows[0]);
  }, 30_000);
  return rows;
}

/** The largest of some moves up or down: the first one where several are. */
const pickLargest = <Move extends { change: number | string }>(
  moves: readonly Move[],
  sign: 1 | -1,
): Move | undefined =>
  moves
    .filter((move): move is Move & { change: number } => typeof move.change === "number" && move.change * sign > 0)
    .reduce<(Move & { change: number }) | undefined>(
      (best, move) => (best === undefined || move.change * sign > best.change * sign ? move : best),
      undefined,
    );

const placeOf = (rows: readonly Ranked[], code: string): number => rows.findIndex((each) => each.code === code) + 1;

/** What a league table must show, computed from the provider's rows alone. */
function toLeague(): { rows: unknown[][]; line: string } {
  const [now, before] = [LATEST, FORMER].map((week) => rankWeek(week, reading)) as [Ranked[], Ranked[]];
  const moves = now.slice(0, TOP).map(({ name, code, views }, at) => {
    const former = placeOf(before, code);
    const change: number | string = former === 0 ? "new" : former - (at + 1);
    const growth = former === 0 ? "" : views / (before[former - 1] as Ranked).views - 1;
    return { rank: at + 1, change, name, code, views, growth, former: former === 0 ? "–" : former };
  });
  const tell = (sign: 1 | -1, arrow: string) => {
    const move = pickLargest(moves, sign);
    return move === undefined ? "" : `   ${arrow} ${move.name} ${move.former} → ${move.rank}`;
  };
  const news = moves.filter(({ change }) => change === "new").length;
  return {
    rows: moves.map(({ rank, change, name, code, views, growth, former }) => {
      const shown = typeof growth === "number" ? expect.closeTo(growth, 9) : growth;
      return [rank, change, name, code, views, shown, former];
    }),
    line: `What moved, 2024-W05${tell(1, "▲")}${tell(-1, "▼")}   new: ${news}`,
  };
}

/** What movers must show: all moves by the size of the change of views, those that only one week has included. */
function toMovers(): { rows: Map<string, unknown[]>; sizes: number[] } {
  const [now, before] = [LATEST, FORMER].map((week) => rankWeek(week, reading)) as [Ranked[], Ranked[]];
  const codes = [...new Set([...now, ...before].map(({ code }) => code))];
  const rows = codes.map((code): [string, unknown[]] => {
    const [rank, former] = [placeOf(now, code), placeOf(before, code)];
    const [views, formerViews] = [now[rank - 1]?.views, before[former - 1]?.views];
    const change = rank > 0 && former > 0 ? former - rank : "";
    const status = rank === 0 ? "gone" : former === 0 ? "new" : "";
    return [code, [rank || "", former || "", change, views ?? "", formerViews ?? "", status]];
  });
  const sizes = rows.map(([, [, , , views, formerViews]]) => Math.abs(Number(views) - Number(formerViews)));
  return { rows: new Map(rows), sizes: sizes.sort((one, other) => other - one) };
}

async function checkSheets(): Promise<void> {
  const [{ rows: league, line: leagueLine }, movers] = [toLeague(), toMovers()];
  const [first] = league;
  const shown = await readTable(
    "League table",
    "A15:H24",
    (row) => row[2] === first?.[2] && row[5] === first?.[4] && row[7] === first?.[6],
  );
  expect(shown.map((row) => [...row.slice(0, 4), ...row.slice(5)])).toEqual(league);
  expect((await on("League table", "A13:A13")).flat()).toEqual([leagueLine]);

  const moved = await readTable("Movers", "A17:I66", (row) => {
    const [rank, former, , , code, views, formerViews] = row;
    const expected = movers.rows.get(String(code)) ?? [];
    return [rank, former, views, formerViews].join() === [...expected.slice(0, 2), ...expected.slice(3, 5)].join();
  });
  const listed = moved.filter(([, , , name]) => name !== null && name !== "");
  const seen = listed.map(([rank, former, change, , code, views, formerViews, , status]) => {
    return [code, [rank, former, change, views, formerViews, status]] as [string, unknown[]];
  });
  expect(new Map(seen)).toEqual(movers.rows);
  expect(seen).toHaveLength(movers.rows.size);
  expect(seen.map(([, [, , , views, formerViews]]) => Math.abs(Number(views) - Number(formerViews)))).toEqual(
    movers.sizes,
  );
  const changes = seen.map(([code, [rank, former, change]], at) => {
    return { change: change as number | string, code, rank, former, name: listed[at]?.[3] };
  });
  const [up, down] = [pickLargest(changes, 1), pickLargest(changes, -1)];
  const news = seen.filter(([, values]) => values.at(-1) === "new").length;
  const tell = (arrow: string, move: typeof up) => `   ${arrow} ${move?.name} ${move?.former} → ${move?.rank}`;
  expect((await on("Movers", "A15:A15")).flat()).toEqual([
    `What moved, 2024-W05${tell("▲", up)}${tell("▼", down)}   new: ${news}`,
  ]);
}

describe("a provider whose order changes from week to week and from reading to reading", () => {
  it("is shown by league table, movers and their lines as a direct computation says", async () => {
    const cells: [string, string][] = [
      ["B3", PERIODS],
      ["B4", String(TOP)],
    ];
    await make("League table", cells);
    await make("Movers", [
      ["B3", "2024-W05"],
      ["B5", "all"],
    ]);
    await checkSheets();
    const before = toLeague().line;
    for (reading of [2, 3, 4]) {
      await refreshAll(page);
      await checkSheets();
    }
    expect(toLeague().line).not.toBe(before);

    // A date is said as one.
    await page.evaluate(() => window.playground.set("B3", "=DATE(2024,1,15)"));
    await page.waitForFunction(() =>
      String(window.playground.get("Movers!A15").value).startsWith("What moved, 2024-01-15   "),
    );
  }, 240_000);
});
