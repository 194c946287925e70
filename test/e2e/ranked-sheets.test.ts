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
  await forgetRequests(page, companion);
  const frame = pane(page);
  await openTab(frame, "Sheets");
  await frame.getByRole("radio", { name: new RegExp(`^${template}`) }).check();
  await frame.getByRole("button", { name: "Create sheet" }).click();
  await frame.getByRole("button", { name: `Show ${template}`, exact: true }).waitFor();
}

const waitForText = (cell: string, text: string) =>
  page.waitForFunction(([at, part]) => String(window.playground.get(at).value).startsWith(part), [cell, text] as const);

/** The period that TREND's last heading names. */
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
      await waitForText("A13", "There is no ranking of the period before.");
      expect((await readRange(page, "B15:B19")).flat()).toEqual(["", "", "", "", ""]);
    },
    TIMEOUT_MS,
  );
});
