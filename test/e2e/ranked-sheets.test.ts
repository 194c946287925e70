import { afterAll, afterEach, beforeAll, describe, expect, it } from "@jest/globals";
import type { Browser, Page } from "playwright-core";
import { launchBrowser } from "../support/browser";
import { type RunningCompanion, startCompanion } from "../support/companion";
import { openTab } from "../support/pane-page";
import { forgetRequests, listRequests } from "./large-workbook";
import { openPlayground, pane, readRange } from "./playground-page";

const TIMEOUT_MS = 90_000;

let browser: Browser;
let companion: RunningCompanion;
let page: Page;
let errors: string[];

beforeAll(async () => {
  [browser, companion] = await Promise.all([launchBrowser(), startCompanion({ companies: 100 })]);
});
afterEach(async () => {
  await page.close();
  expect(errors).toEqual([]);
});
afterAll(async () => {
  await browser?.close();
  await companion?.close();
});

/** Makes a sheet of a template with the first choices. */
async function make(template: string): Promise<void> {
  ({ page, errors } = await openPlayground(browser, `${companion.origin}/playground.html?lang=en`));
  page.setDefaultTimeout(30_000); // a sheet has thousands of formulas
  await forgetRequests(page, companion);
  const frame = pane(page);
  await openTab(frame, "Sheets");
  await frame.getByRole("radio", { name: new RegExp(`^${template}`) }).check();
  await frame.getByRole("button", { name: "Create sheet" }).click();
  await frame.getByRole("button", { name: `Show ${template}`, exact: true }).waitFor();
}

const waitForText = (cell: string, text: string) =>
  page.waitForFunction(([at, part]) => String(window.playground.get(at).value).startsWith(part), [cell, text] as const);

const isNumber = (value: unknown): value is number => typeof value === "number";

describe("a league table on the sample data", () => {
  it(
    "shows ranks, changes and growth as its formulas' data say, by one request for each period",
    async () => {
      await make("League table");
      await waitForText("A13", "What moved, ");
      const rows = await readRange(page, "A15:H39");
      const ranks = await readRange(page, "K15:T39");
      const views = await readRange(page, "K118:T142");
      expect(rows.map(([rank]) => rank)).toEqual(Array.from({ length: 25 }, (_, index) => index + 1));
      rows.forEach((row, index) => {
        const [[name, code, ...periods], [, , ...measures]] = [ranks[index] ?? [], views[index] ?? []];
        const [before, now] = periods.slice(-2);
        expect(row.slice(0, 4)).toEqual([now, isNumber(before) ? before - Number(now) : "new", name, code]);
        expect(row[5]).toBe(measures.at(-1));
        const [formerViews, nowViews] = measures.slice(-2);
        const growth = isNumber(formerViews) ? Number(nowViews) / formerViews - 1 : "";
        expect(row[6]).toEqual(isNumber(growth) ? expect.closeTo(growth, 9) : "");
        expect(String(row[4])).toMatch(/^[▁-█·]{8}$/);
      });
      expect(new Set(rows.map((row) => row[1])).size).toBeGreaterThan(3);
      expect(listRequests(companion)).toEqual(Array.from({ length: 8 }, () => "rankCompanies"));
    },
    TIMEOUT_MS,
  );

  it(
    "says what moved, and follows its coloured cells",
    async () => {
      await make("League table");
      await waitForText("A13", "What moved, ");
      const rows = await readRange(page, "A15:H39");
      const changes = rows.map((row) => row[1]).filter(isNumber);
      const best = rows.find((row) => row[1] === Math.max(...changes));
      const [[line]] = (await readRange(page, "A13:A13")) as [[string]];
      expect(line).toContain(`▲ ${best?.[2]} ${best?.[7]} → ${best?.[0]}`);
      expect(line).toContain(`new: ${rows.filter((row) => row[1] === "new").length}`);
      await page.evaluate(() =>
        window.playground.setMany([
          ["B4", "5"],
          ["B5", "industries"],
        ]),
      );
      await page.waitForFunction(() => window.playground.get("A20").value === "");
      await page.waitForFunction(() => window.playground.get("A19").value === 5);
      await page.evaluate(() => window.playground.setMany([["B3", "-1w"]]));
      await waitForText("A13", "Nothing to compare: the period before has no values here.");
      expect((await readRange(page, "B15:B19")).flat()).toEqual(["", "", "", "", ""]);
    },
    TIMEOUT_MS,
  );
});

/** Sets coloured cells, and waits until the line says something. */
async function set(cells: [cell: string, value: string][], lineAt: string, text: string): Promise<void> {
  await page.evaluate((all) => window.playground.setMany(all), cells);
  await waitForText(lineAt, text);
}

describe("coloured cells with unusual values", () => {
  it(
    "make a league table say what to write, and never show an unread measure as 0",
    async () => {
      await make("League table");
      await waitForText("A13", "What moved, ");
      await page.evaluate(() => window.playground.setMany([["B6", "views"]]));
      await page.waitForFunction(() => window.playground.get("F15").value === "#VALUE!");
      expect((await readRange(page, "F15:G39")).flat().filter(isNumber)).toEqual([]);
      await page.evaluate(() => window.playground.setMany([["B6", ""]]));
      await page.waitForFunction(() => Number(window.playground.get("F15").value) > 100);
      expect((await readRange(page, "F14:F14")).flat()).toEqual(["totalPageViews"]);
      await set([["B6", "rank"]], "F14", "rank");
      await page.waitForFunction(() => window.playground.get("F15").value === 1);
      expect((await readRange(page, "G15:G39")).flat().filter(isNumber)).toEqual([]);
      for (const rows of ["0", "1.5", "-1"]) await set([["B4", rows]], "A13", "Rows must be a whole number from 1.");
      await set([["B4", "all"]], "A13", "What moved, ");
      await set([["B3", "-60w"]], "A13", "There are more than 52 periods: give fewer.");
      await set([["B3", "2024-12:2024-01"]], "A13", "#VALUE!");
      expect((await readRange(page, "A15:H40")).flat().filter(isNumber)).toEqual([]);
    },
    TIMEOUT_MS,
  );

  it(
    "give a rotation no share of ranks",
    async () => {
      await make("Industry rotation");
      await waitForText("A13", "What moved, ");
      await set([["B5", "rank"]], "A13", "A rank has no share");
      await page.waitForFunction(() => window.playground.get("F15").value === "");
      await set([["B5", ""]], "A13", "What moved, ");
      await page.waitForFunction(() => Number(window.playground.get("F15").value) > 0.01);
      await set([["B4", "-1"]], "A13", "Rows must be a whole number from 1.");
      expect((await readRange(page, "A15:H40")).flat().filter((value) => value !== "")).toEqual([]);
    },
    TIMEOUT_MS,
  );

  it(
    "make the line of movers say a date as one",
    async () => {
      await make("Movers");
      await set([["B3", "=DATE(2024,1,5)"]], "A15", "What moved, 2024-01-05   ");
      await page.evaluate(() => window.playground.setMany([["B3", "soon"]]));
      await waitForText("A15", "#VALUE!");
    },
    TIMEOUT_MS,
  );
});

describe("a sheet of movers on the sample data", () => {
  it(
    "shows the largest moves, and says the best and the worst",
    async () => {
      await make("Movers");
      await waitForText("A15", "What moved, -7d");
      const rows = await readRange(page, "A17:I41");
      const moves = rows.map((row) => row[2]).filter(isNumber);
      expect(rows.map((row) => row[3]).every((name) => typeof name === "string")).toBe(true);
      for (const [rank, before, change] of rows)
        if (isNumber(change)) expect(change).toBe(Number(before) - Number(rank));
      const [[line]] = (await readRange(page, "A15:A15")) as [[string]];
      const best = rows.find((row) => row[2] === Math.max(...moves));
      expect(line).toContain(`▲ ${best?.[3]} ${best?.[1]} → ${best?.[0]}`);
      const worst = rows.find((row) => row[2] === Math.min(...moves));
      expect(line).toContain(`▼ ${worst?.[3]} ${worst?.[1]} → ${worst?.[0]}`);
    },
    TIMEOUT_MS,
  );
});

describe("a heat map on the sample data", () => {
  it(
    "has 18 page types across, their shares now and before, and colours what is unusual",
    async () => {
      await make("Heat map");
      await waitForText("A10", "What moved, 7 days");
      expect(listRequests(companion)).toEqual(["rankCompanyPages", "rankCompanyPages"]);
      const [headings = []] = await readRange(page, "A14:W14");
      expect(headings).toHaveLength(23);
      const rows = await readRange(page, "E15:W39");
      const sum = (column: number) => rows.reduce((all, row) => all + Number(row[column]), 0);
      const [shares = [], formers = [], changes = []] = await readRange(page, "F11:W13");
      shares.forEach((share, index) => {
        expect(share).toBeCloseTo(sum(index + 1) / sum(0), 9);
        expect(changes[index]).toBeCloseTo(Number(share) - Number(formers[index]), 9);
      });
      expect(shares).not.toEqual(formers);
      const most = changes.indexOf(Math.max(...changes.map(Number)));
      const [[line]] = (await readRange(page, "A10:A10")) as [[string]];
      expect(line).toContain(`▲ ${headings[5 + most]} ${(Number(formers[most]) * 100).toFixed(2)}%`);
    },
    TIMEOUT_MS,
  );
});

describe("an industry rotation on the sample data", () => {
  it(
    "shows each industry's share of all views, its change and its phase",
    async () => {
      await make("Industry rotation");
      await waitForText("A13", "What moved, ");
      const rows = (await readRange(page, "A15:H64")).filter((row) => row[0] !== "");
      const history = (await readRange(page, "M15:T300")).filter((row) => isNumber(row[7]));
      expect(rows.length).toBe(Math.min(50, history.length));
      const total = (period: number) => history.reduce((all, row) => all + Number(row[period]), 0);
      rows.forEach((row, index) => {
        const toShare = (period: number) => Number(history[index]?.[period]) / total(period);
        expect(row[5]).toBeCloseTo(toShare(7), 9);
        expect(row[1]).toBeCloseTo(toShare(7) - toShare(6), 9);
        const mean = [0, 1, 2, 3, 4, 5, 6, 7].reduce((all, period) => all + toShare(period), 0) / 8;
        expect(row[7]).toBeCloseTo(mean, 9);
        const isHigh = toShare(7) >= mean;
        const isRising = Number(row[1]) >= 0;
        const phase = isRising ? (isHigh ? "Leading" : "Improving") : isHigh ? "Weakening" : "Lagging";
        expect(row[3]).toBe(phase);
      });
      // The provider's pages have 200 industries, and there are more.
      expect(listRequests(companion)).toEqual(Array.from({ length: 16 }, () => "rankIndustries"));
    },
    TIMEOUT_MS,
  );
});
