import { afterAll, afterEach, beforeAll, describe, expect, it } from "@jest/globals";
import type { Browser, Frame, Page } from "playwright-core";
import { type Texts, toTexts } from "../../src/taskpane/texts";
import { type MatchTexts, matchTexts } from "../../src/taskpane/texts/match";
import { launchBrowser, saveScreenshot } from "../support/browser";
import { type RunningCompanion, startCompanion } from "../support/companion";
import { checkAccess } from "../support/page-access";
import { waitUntilConnected } from "../support/pane-page";
import { createKeyboard, type Hands, reach } from "./hands";
import { clearWorkbook, openPlayground, pane, readRange } from "./playground-page";

let browser: Browser;
let companion: RunningCompanion;
let page: Page;
let frame: Frame;
let errors: string[];
let texts: Texts;
let ofMatch: MatchTexts;
let hands: Hands;
let shoot: (step: string) => Promise<void>;

beforeAll(async () => {
  [browser, companion] = await Promise.all([launchBrowser(), startCompanion({ companies: 500 })]);
});
afterEach(() => page.context().close());
afterAll(async () => {
  await browser?.close();
  await companion?.close();
});

const LOOKS = [
  { name: "en-light", query: "?lang=en", language: "en-US", scheme: "light" },
  { name: "ja-dark", query: "?lang=ja", language: "ja-JP", scheme: "dark" },
] as const;

/** Widths of the pane in pixels: of Excel for Mac, and of a pane that was widened. */
const WIDTHS = [270, 400];

/** Companies with financials, as their records name them. Each has a listed namesake of another legal form. */
const WHOLE = [
  "Yuzuriha Energy Corporation",
  "Komorebi Education Inc.",
  "Tamayura Chemicals Co., Ltd.",
  "Yukishiro Medical Corporation",
  "Sakura Bakery Co., Ltd.",
];

/** Parts of names, which fit many companies each. */
const PARTS = ["Sakura", "Kumomori", "Takashima", "Komorebi", "Inaho", "Yuzuriha", "Shirokane", "Kazemachi"];

/** Names that no company has. */
const ABSENT = ["Qqzzxv 1", "Xxvvqq 2"];

async function open({ name, query, language, scheme }: (typeof LOOKS)[number]): Promise<void> {
  ({ page, errors } = await openPlayground(browser, `${companion.origin}/playground.html${query}`, scheme));
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await clearWorkbook(page);
  frame = pane(page);
  await waitUntilConnected(frame);
  texts = toTexts(language);
  ofMatch = matchTexts[texts.language];
  hands = createKeyboard(page);
  shoot = async (step) => {
    for (const width of WIDTHS) {
      await page.evaluate((px) => document.body.style.setProperty("--pane-width", `${px}px`), width);
      await saveScreenshot(page, `match-${name}-${step}-${width}`);
    }
    await checkAccess(frame);
  };
}

const button = (name: string | RegExp) => frame.getByRole("button", { name, exact: true });

/** Lists 50 names: 35 of listed companies, some in dirty writings, and fifteen that need a person. */
async function listNames(): Promise<string[]> {
  await page.evaluate(() => window.playground.set("H1", '=FEED.RANKING("2024-01", , 60, "companyName", , FALSE)'));
  await page.waitForFunction(() => typeof window.playground.get("H40").value === "string");
  const known = (await readRange(page, "H1:H60")).flat().map(String);
  await page.evaluate(() => window.playground.set("H1", ""));
  const others = known
    .filter((name) => !WHOLE.includes(name))
    .slice(0, 50 - WHOLE.length - PARTS.length - ABSENT.length);
  const dirty = others.map((name, place) => [name, name.toUpperCase(), `  ${name}`][place % 3] as string);
  return [...WHOLE, ...dirty, ...PARTS, ...ABSENT];
}

/** Pastes lines from the clipboard, from the cell A2 on, which stay selected. */
async function pasteNames(names: readonly string[]): Promise<void> {
  await hands.select(0, 1);
  await page.evaluate((text) => navigator.clipboard.writeText(text), names.join("\n"));
  await page.keyboard.press("Control+v");
  await page.waitForFunction((last) => window.playground.get("A51").value === last, names[49]);
}

/**
 * Decides on every open name by one key each: the first or second company where there are some, else none. A whole name
 * means its first company.
 */
async function decideAll(): Promise<number> {
  const question = frame.locator("fieldset", { has: frame.locator("h2") });
  const [, all = "0"] = /^1\D+(\d+)/.exec(await question.innerText()) ?? [];
  await shoot("3-question");
  for (let decided = 0; decided < Number(all); decided++) {
    await question.getByText(ofMatch.place(decided + 1, Number(all)), { exact: true }).waitFor();
    const candidates = await question.getByRole("option").count();
    await page.keyboard.press(
      candidates === 0 ? "n" : candidates > 1 && decided >= WHOLE.length && decided % 2 === 1 ? "2" : "Enter",
    );
  }
  await frame.getByText(ofMatch.allDecided, { exact: true }).waitFor();
  return Number(all);
}

const readIds = async () => (await readRange(page, "B2:B51")).flat();
const isId = (value: unknown) => /^[0-9a-f-]{36}$/.test(String(value));

/** Copies the first ids to a comparison sheet, which is filled. */
async function compare(): Promise<void> {
  await hands.select(1, 1);
  for (let row = 1; row < WHOLE.length; row++) await page.keyboard.press("Shift+ArrowDown");
  await page.keyboard.press("Control+c");
  await hands.press(frame.getByRole("tab", { name: texts.parts.sheets, exact: true }));
  await hands.press(frame.getByRole("radio", { name: texts.ofSheets.templates.comparison }));
  await reach(page, frame.getByRole("combobox", { name: texts.ofSheets.companies, exact: true }), "pane");
  await page.keyboard.press("Control+v");
  await hands.press(button(texts.ofSheets.make));
  await page.waitForFunction(() => window.playground.save().sheets.length === 2);
  await page.waitForFunction(() =>
    window.playground
      .range("D16:H20")
      .flat()
      .every((value) => typeof value === "number"),
  );
}

describe("fifty names in cells, by keyboard alone", () => {
  it.each(LOOKS)(
    "become ids, and the ids a comparison sheet ($name)",
    async (look) => {
      await open(look);
      const names = await listNames();
      await pasteNames(names);
      await hands.press(frame.getByRole("tab", { name: texts.ofFind.kinds.match, exact: true }));
      await button(ofMatch.match).waitFor();
      await shoot("1-begin");
      await hands.press(button(ofMatch.match));
      const accept = frame.getByRole("button", { name: look.language === "ja-JP" ? /件を確定$/ : /^Accept \d+$/ });
      await accept.waitFor();
      await shoot("2-sure");
      await page.keyboard.press("Enter");
      expect(await decideAll()).toBeGreaterThanOrEqual(10);
      await shoot("4-decided");
      await page.keyboard.press("Enter");
      await page.waitForFunction(() => /^[0-9a-f-]{36}$/.test(String(window.playground.get("B2").value)));
      const ids = await readIds();
      expect(ids.slice(0, 48).filter((id) => !isId(id))).toEqual([]);
      expect(ids.slice(48)).toEqual([null, null]);
      await shoot("5-written");
      await compare();
      await shoot("6-comparison");
      expect(errors).toEqual([]);
    },
    180_000,
  );
});
