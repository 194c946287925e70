import { describe, expect, it } from "@jest/globals";
import type { Frame, Page } from "playwright-core";
import { TEMPLATES } from "../../src/session/persisted-settings";
import { toTexts } from "../../src/taskpane/texts";
import { matchTexts } from "../../src/taskpane/texts/match";
import { checkAccess } from "../support/page-access";
import { waitUntilConnected } from "../support/pane-page";
import { createKeyboard, reach } from "./hands";
import { clearWorkbook, pane, readRange, readSettled, reload, type, waitFor } from "./playground-page";
import { createPlaygroundPage } from "./surroundings";

const at = createPlaygroundPage({ companies: 500, scheme: "dark" });

const WITH_CRASHING_WORKER = `
  const Genuine = window.Worker;
  window.Worker = class extends Genuine {
    constructor() { super("data:text/javascript,throw new Error('crashed')"); }
  };`;

async function find(page: Page): Promise<void> {
  await type(page, ["A1", '=FEED.COMPANY.FIND("高島", "JPN", 5, "companyInformalName,companyFormalName", FALSE)']);
  await readSettled(page, "A1");
  const names = (await readRange(page, "B1:B5")).flat();
  expect(names).toHaveLength(5);
  for (const name of names) expect(name).toMatch(/髙島/);
}

/** Matches some names, and then another one without a request. */
async function match(page: Page): Promise<void> {
  const loaded = new Set<string>();
  page.context().on("request", (request) => loaded.add(new URL(request.url()).pathname));
  await type(
    page,
    ["G1", "Takasima Optcs Osaka"],
    ["G2", "Umezawa Boats"],
    ["H1", '=FEED.COMPANY.MATCH(G1:G2, "JPN", , "state,closestName", FALSE)'],
  );
  await readSettled(page, "H1");
  const before = countPages();
  await type(page, ["K1", '=FEED.COMPANY.MATCH("Sakura Foods KK", "JPN", , "closestName", FALSE)']);
  expect(String((await readSettled(page, "K1")).value)).toMatch(/Sakura Foods|さくら食品/);
  expect((await readRange(page, "H2:H2")).flat()).toEqual(["none"]);
  expect(countPages()).toBe(before);
  expect([...loaded].filter((path) => path.startsWith("/matching."))).toHaveLength(1);
}

/** Requests for pages of names; the pane also reads a single company to probe its access. */
const countPages = () =>
  at.companion.controls.requests.filter(
    ({ operationId, url }) =>
      ["listTaxonomyCompanies", "searchCompanies"].includes(operationId) && !/page_size=1(?!\d)/.test(url),
  ).length;

describe("names in the browser", () => {
  it("are searched and matched by a worker, persisted, and found after a reload without a request", async () => {
    const worker = `${at.companion.origin}/names.js`;
    await find(at.page);
    expect(at.page.workers().map((each) => each.url())).toEqual([worker]);
    expect(countPages()).toBeGreaterThan(0);
    await match(at.page);
    at.companion.controls.reset();
    await reload(at.page);
    await clearWorkbook(at.page);
    await find(at.page);
    expect(at.page.workers().map((each) => each.url())).toEqual([worker]);
    expect(countPages()).toBe(0);
  });

  it("are found and matched if the worker does not load", async () => {
    const page = await at.open({ script: WITH_CRASHING_WORKER });
    await clearWorkbook(page);
    await find(page);
    await match(page);
  });
});

/** Companies with financials, as their records name them. Each has a listed namesake of another legal form. */
const WHOLE = ["Yuzuriha Energy Corporation", "Komorebi Education Inc."];

/** Parts of names, which fit many companies each. */
const PARTS = ["Sakura", "Takashima"];

/** Names that no company has. */
const ABSENT = ["Qqzzxv 1"];
const COUNT = 8;

const texts = toTexts("en");
const ofMatch = matchTexts.en;

const isId = (value: unknown) => /^[0-9a-f-]{36}$/.test(String(value));

/** Names of listed companies. */
async function readNames(page: Page): Promise<string[]> {
  await type(page, ["H1", '=FEED.RANKING("2024-01", , 20, "companyName", , FALSE)']);
  await page.waitForFunction(() => typeof window.playground.get("H20").value === "string");
  const names = (await readRange(page, "H1:H20")).flat().map(String);
  await type(page, ["H1", ""]);
  return names;
}

it("names in cells become ids, and the ids a comparison sheet, by keyboard alone", async () => {
  const { page, frame } = at;
  const button = (name: string) => frame.getByRole("button", { name, exact: true });
  const hands = createKeyboard(page);
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await waitUntilConnected(frame);
  const listed = (await readNames(page)).filter((name) => !WHOLE.includes(name));
  const dirty = listed
    .slice(0, COUNT - WHOLE.length - PARTS.length - ABSENT.length)
    .map((name, place) => [name, name.toUpperCase(), `  ${name}`][place % 3] as string);
  const names = [...WHOLE, ...dirty, ...PARTS, ...ABSENT];

  await hands.select(0, 1);
  await page.evaluate((text) => navigator.clipboard.writeText(text), names.join("\n"));
  await page.keyboard.press("Control+v"); // stay selected
  await waitFor(page, `A${COUNT + 1}`, names.at(-1) ?? "");
  await hands.press(frame.getByRole("tab", { name: texts.ofFind.kinds.match, exact: true }));
  await hands.press(button(ofMatch.match));
  await frame.getByRole("button", { name: /^Accept \d+$/ }).waitFor();
  await checkAccess(frame);
  await page.keyboard.press("Enter");

  // One key each decides: the first or second company where there are some, else none. A whole name means its first.
  const question = frame.locator("fieldset", { has: frame.locator("h2") });
  const [, all = "0"] = /^1\D+(\d+)/.exec(await question.innerText()) ?? [];
  expect(Number(all)).toBeGreaterThanOrEqual(PARTS.length + ABSENT.length);
  await checkAccess(frame);
  for (let decided = 0; decided < Number(all); decided++) {
    await question.getByText(ofMatch.place(decided + 1, Number(all)), { exact: true }).waitFor();
    const candidates = await question.getByRole("option").count();
    const isSecond = candidates > 1 && decided >= WHOLE.length && decided % 2 === 1;
    await page.keyboard.press(candidates === 0 ? "n" : isSecond ? "2" : "Enter");
  }
  await frame.getByText(ofMatch.allDecided, { exact: true }).waitFor();
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => /^[0-9a-f-]{36}$/.test(String(window.playground.get("B2").value)));
  const ids = (await readRange(page, `B2:B${COUNT + 1}`)).flat();
  expect(ids.map(isId)).toEqual([...Array(COUNT - ABSENT.length).fill(true), false]);
  expect(ids.at(-1)).toBeNull();

  await hands.select(1, 1);
  for (let row = 1; row < WHOLE.length; row++) await page.keyboard.press("Shift+ArrowDown");
  await page.keyboard.press("Control+c");
  await hands.press(frame.getByRole("tab", { name: texts.parts.sheets, exact: true }));
  await hands.press(frame.getByRole("radio", { name: texts.ofSheets.templates.comparison }));
  await reach(page, frame.getByRole("combobox", { name: texts.ofSheets.companies, exact: true }), "pane");
  await page.keyboard.press("Control+v");
  await hands.press(button(texts.ofSheets.make));
  await page.waitForFunction(() => window.playground.save().sheets.length === 2);
  await page.waitForFunction(() => {
    const figures = window.playground.range("D16:H17").flat();
    return figures.every((value) => typeof value === "number");
  });
}, 120_000);

const readFocus = (frame: Frame) => frame.evaluate(() => document.activeElement?.textContent ?? "");

/** In Japanese; an analyst's day is in English. */
describe("a company chosen by keyboard alone", () => {
  const [name, typo] = ["さくら", "さくら食料"];
  const texts = toTexts("ja-JP");

  it("is found by a part of its name, is a chip of a pasted list, and gives a formula's name its company", async () => {
    const page = await at.open({ query: "?lang=ja", scheme: "dark" });
    await clearWorkbook(page);
    const frame = pane(page);
    await waitUntilConnected(frame);
    await frame.getByRole("combobox", { name: texts.ofFind.company }).focus();
    await page.keyboard.type(name);
    await frame.locator('[role="option"][data-active]').first().waitFor();
    await page.keyboard.press("ArrowDown");
    const second = frame.locator('[role="option"]:nth-child(2)[data-active]');
    await second.waitFor();
    const text = await second.innerText();
    await page.keyboard.press("Enter"); // its card opens
    await frame.waitForFunction(() => document.activeElement?.tagName === "H2");
    expect(text).toContain(await readFocus(frame));
    await checkAccess(frame);

    await frame.getByRole("tab", { name: texts.parts.sheets }).focus();
    await page.keyboard.press("Enter");
    await reach(page, frame.getByRole("radio", { name: texts.ofSheets.templates.ranking }).first(), "pane");
    for (let place = TEMPLATES.indexOf("ranking"); TEMPLATES[place] !== "comparison"; place++)
      await page.keyboard.press("ArrowDown");
    await reach(page, frame.getByRole("combobox", { name: texts.ofSheets.companies }), "pane");
    await frame.evaluate(
      (lines) => {
        const clipboardData = new DataTransfer();
        clipboardData.setData("text", lines.join("\n"));
        document.activeElement?.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true }));
      },
      ["2730196982816", typo, "qqqq", "1111111", "2222222"],
    );
    await frame.getByText(texts.ofPicker.chosenCount(5, 2)).waitFor();
    await reach(page, frame.getByRole("button", { name: texts.ofPicker.choose(typo) }), "pane");
    await page.keyboard.press("Enter"); // a doubtful one is resolved by its candidates
    await frame.waitForFunction(() => document.activeElement?.getAttribute("role") === "listbox");
    await checkAccess(frame);
    await page.keyboard.press("Enter");
    await frame.getByText(texts.ofPicker.chosenCount(5, 1)).waitFor();
    expect(await readFocus(frame)).toMatch(/さくら.* ×$/);
    expect(await page.evaluate(() => window.playground.save().sheets.length)).toBe(1);

    await type(page, ["A1", `=FEED.COMPANY.ID("${name}")`]);
    expect((await readSettled(page, "A1")).value).toBe("#VALUE!");
    await frame.getByRole("tab", { name: texts.parts.cell }).click();
    await frame.getByRole("button", { name: texts.ofPicker.chooseInFind }).click();
    await frame.getByText(texts.ofPicker.choosing(name)).waitFor();
    await frame.locator('[role="option"][data-active]').first().waitFor();
    await page.keyboard.press("Enter");
    await frame.getByRole("button", { name: texts.ofPicker.use(name) }).click();
    await page.waitForFunction(() => /^[0-9a-f-]{36}$/.test(String(window.playground.get("A1").value)));
    await frame.getByRole("tab", { name: texts.parts.cell }).click();
    await frame.getByText(texts.ofProvenance.resolved(name, "", "").slice(0, 12)).waitFor();
  });
});
