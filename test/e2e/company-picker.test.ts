import { describe, expect, it } from "@jest/globals";
import type { Frame } from "playwright-core";
import { TEMPLATES } from "../../src/session/persisted-settings";
import { toTexts } from "../../src/taskpane/texts";
import { checkAccess } from "../support/page-access";
import { waitUntilConnected } from "../support/pane-page";
import { reach } from "./hands";
import { readSettled, type } from "./playground-page";
import { createPlaygroundPage } from "./surroundings";

const at = createPlaygroundPage({ companies: 500, query: "?lang=ja", scheme: "dark" });
const readFocus = (frame: Frame) => frame.evaluate(() => document.activeElement?.textContent ?? "");

/** In Japanese; an analyst's day is in English. */
describe("a company chosen by keyboard alone", () => {
  const [name, typo] = ["さくら", "さくら食料"];
  const texts = toTexts("ja-JP");

  it("is found by a part of its name, is a chip of a pasted list, and gives a formula's name its company", async () => {
    const { page, frame } = at;
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
