import { expect, it } from "@jest/globals";
import type { Page } from "playwright-core";
import { toTexts } from "../../../src/taskpane/texts";
import { MATCH } from "../../../src/tools/match/door";
import { matchTexts } from "../../../src/tools/match/texts";
import { createKeyboard, reach } from "../../e2e/keyboard";
import { readRange, type, waitFor } from "../../e2e/playground-page";
import { createPlaygroundPage, OWN_CLIPBOARD } from "../../e2e/surroundings";
import { checkAccess } from "../../support/page-access";
import { waitUntilConnected } from "../../support/pane-page";

const at = createPlaygroundPage({ companies: 500, scheme: "dark", rules: [OWN_CLIPBOARD] });
const texts = toTexts("en");

/** Companies with financials, as their records name them. */
const WHOLE = ["Yuzuriha Energy Corporation", "Komorebi Education Inc."];

/** Parts of names, which fit many companies each. */
const PARTS = ["Sakura", "Takashima"];

/** Names that no company has. */
const ABSENT = ["Qqzzxv 1"];
const COUNT = 8;

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
  await hands.press(frame.getByRole("tab", { name: texts.parts.find, exact: true }));
  await hands.press(frame.getByRole("tab", { name: MATCH.title.en, exact: true }));
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
  const { template, templates } = texts.ofSheets;
  await hands.pick(frame.getByRole("combobox", { name: template }), templates.comparison);
  await reach(page, frame.getByRole("combobox", { name: texts.ofSheets.companies, exact: true }), "pane");
  await page.keyboard.press("Control+v");
  await hands.press(button(texts.ofSheets.make));
  await page.waitForFunction(() => window.playground.save().sheets.length === 2);
  await page.waitForFunction(() => {
    const figures = window.playground.range("D16:H17").flat();
    return figures.every((value) => typeof value === "number");
  });
}, 120_000);
