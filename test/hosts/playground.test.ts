import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import type { Browser, Page } from "playwright-core";
import { HOSTS } from "../../src/playground/hosts/profiles";
import { openPlayground, pane, readRange, readSettled, type } from "../e2e/playground-page";
import { launchBrowser, saveScreenshot } from "../support/browser";
import { type RunningCompanion, startCompanion } from "../support/companion";
import { createDirectReading } from "../support/direct-reading";
import { type Facts, readFacts } from "../support/formula-calls";
import { waitUntilConnected } from "../support/pane-page";
import { NAMED_HOSTS } from "./named-hosts";

/** Widths of the pane, in pixels: Excel on Mac, on Windows, and a pane that somebody widened. */
const WIDTHS = [270, 320, 400];

let browser: Browser;
let companion: RunningCompanion;
let facts: Facts;

beforeAll(async () => {
  [browser, companion] = await Promise.all([launchBrowser(), startCompanion({ companies: 300 })]);
  facts = await readFacts(await createDirectReading(companion.origin));
});
afterAll(async () => {
  await browser?.close();
  await companion?.close();
});

const open = (query: string) => openPlayground(browser, `${companion.origin}/playground.html?${query}`);

/** Opens a workbook with one empty sheet. */
const empty = (page: Page) =>
  page.evaluate(async () => {
    const { version } = window.playground.save();
    await window.playground.load({ version, sheets: [{ id: "empty", name: "Empty", colNumber: 26, rowNumber: 100 }] });
  });

const readHost = (page: Page) => page.locator("#host").innerText();

describe.each(NAMED_HOSTS)("the playground as %s", (name, profile) => {
  let page: Page;
  let errors: string[];

  beforeAll(async () => {
    ({ page, errors } = await open(`lang=en&host=${profile.id}`));
    await empty(page);
  });
  afterAll(() => page.context().close());

  it("names it, and shows its usual width of the pane", async () => {
    expect(await readHost(page)).toBe(`As ${name}`);
    expect(await pane(page).evaluate(() => innerWidth)).toBe(profile.paneWidth.value - 1); // beside a line of one pixel
    expect(errors).toEqual([]);
  });

  it("hides and shows the pane by its keys, and tells them if it has keyboard shortcuts", async () => {
    const tells = profile.requirementSets.value.keyboardshortcuts !== undefined;
    const keys = `${profile.id === "mac" ? "Meta" : "Control"}+Alt+Shift+KeyF`;
    await page.keyboard.press(keys);
    expect(await page.locator("#panel").isVisible()).toBe(false);
    await page.keyboard.press(keys);
    expect(await page.locator("#panel").isVisible()).toBe(true);
    await pane(page).getByRole("button", { name: "Menu" }).click();
    expect(
      await pane(page)
        .getByText(/Alt\+Shift/)
        .count(),
    ).toBe(tells ? 2 : 0);
    await page.keyboard.press("Escape");
  });

  it("names a partition of the storage if it has one for each site", async () => {
    const keys = await pane(page).evaluate(() => Object.keys(localStorage));
    expect(keys.some((key) => key.startsWith("playground|"))).toBe(profile.partitionsStorage.value);
  });

  it("reports its requirement sets to the add-in", async () => {
    const [, minor = ""] = profile.requirementSets.value.excelapi?.split(".") ?? [];
    const isSupported = (version: string) =>
      pane(page).evaluate((wanted) => Office.context.requirements.isSetSupported("ExcelApi", wanted), version);
    expect(await isSupported(`1.${minor}`)).toBe(true);
    expect(await isSupported(`1.${Number(minor) + 1}`)).toBe(false);
  });

  it("shows figures and dates, whatever may leave a function", async () => {
    const { id } = facts.companies[0] as { id: string };
    await type(page, ["A1", `=FEED.FINANCIAL("${id}","FY0",{"Revenue","periodEnd"})`]);
    await readSettled(page, "A1");
    expect(await readRange(page, "A1:B1")).toEqual([[expect.any(Number), expect.any(Number)]]);
  });

  it("takes a reference to a blank cell for an argument that was left out", async () => {
    const { id } = facts.companies[0] as { id: string };
    await type(page, ["D1", `=FEED.COMPANY("${id}",Z1)`], ["G1", `=FEED.COMPANY("${id}")`]);
    expect((await readSettled(page, "D1")).value).toBe("Company id");
    await readSettled(page, "G1");
    expect(await readRange(page, "D1:E9")).toEqual(await readRange(page, "G1:H9"));
  });

  it("shows an array with a missing figure as it does", async () => {
    const { id } = facts.companies[0] as { id: string };
    await type(page, ["A3", `=FEED.FINANCIAL("${id}",{"FY0","1971"},"Revenue")`]);
    await readSettled(page, "A3");
    const isWhole = profile.errorInArray.value === "each in its cell";
    expect(await readRange(page, "A3:B3")).toEqual([isWhole ? [expect.any(Number), "#N/A"] : ["#VALUE!", null]]);
  });
});

it("says which hosts there are when the address names an unknown one", async () => {
  const { page } = await open("lang=en&host=excel97");
  const known = HOSTS.map(({ id }) => id).join(", ");
  await page
    .getByText(`The address names an unknown Excel. Write one of these after host=: ${known}.`, { exact: true })
    .waitFor();
  expect(await page.locator("#host").isVisible()).toBe(false);
  await page.context().close();
});

it.each([
  ["ltsc2021", "ja"],
  ["mac", "en"],
  ["web", "ja"],
])("the pane of ?host=%s in language %s fits every width on every tab", async (id, language) => {
  const { page } = await open(`lang=${language}&host=${id}`);
  await waitUntilConnected(pane(page));
  for (const width of WIDTHS) {
    await page.evaluate((px) => document.documentElement.style.setProperty("--pane-width", `${px}px`), width);
    const overhangs: number[] = [];
    for (const tab of await pane(page).getByRole("tablist").first().getByRole("tab").all()) {
      await tab.click();
      overhangs.push(await pane(page).evaluate(() => document.documentElement.scrollWidth - innerWidth));
    }
    expect([width, overhangs]).toEqual([width, Array(5).fill(0)]);
    await saveScreenshot(page, `host-${id}-${language}-${width}`);
  }
  await page.context().close();
});
