import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import metadata from "../functions/functions.golden.json";
import { read, type } from "./playground-page";
import { createPlaygroundPage } from "./surroundings";

const EXAMPLES: Record<string, { formula: string }[]> = JSON.parse(
  readFileSync(join(__dirname, "../../dist/web/reference/examples.json"), "utf8"),
);

const at = createPlaygroundPage();

const select = (cell: "A1" | "A3") =>
  at.page.click(".o-grid-overlay", { position: { x: 40, y: cell === "A1" ? 12 : 60 } });
const waitForSentence = (shown: boolean) =>
  at.page.waitForFunction((hidden) => document.getElementById("cell-error")?.hidden === hidden, !shown);
const isHelpOpen = () => at.page.locator("#formulas-list").isVisible();

describe("the formula help", () => {
  it("has each formula's description, every argument with its text, the first example and a link to its page", async () => {
    await at.page.click("#formulas-label");
    const text = (await at.page.innerText("#formulas-list")).replace(/\s+/g, " ");
    for (const { description, parameters } of metadata.functions) {
      expect(text).toContain(description);
      for (const parameter of parameters) expect(text).toContain(`${parameter.name} ${parameter.description}`);
    }
    expect(text).toContain("=FEED.FINANCIAL(company, year, metric, [basis], [unit])");
    const examples = await at.page.locator("#formulas-list code").allInnerTexts();
    expect(examples).toEqual(Object.values(EXAMPLES).map(([first]) => first?.formula));
    const links = await at.page
      .locator("#formulas-list a")
      .evaluateAll((all) => all.map((a) => a.getAttribute("href")));
    const pages = await Promise.all(links.map((link) => at.page.request.get(`${at.companion.origin}/${link}`)));
    for (const [index, page] of (await Promise.all(pages.map((answer) => answer.text()))).entries()) {
      expect(page).toContain(`<h1>FEED.${metadata.functions[index]?.name}</h1>`);
    }
    expect(pages).toHaveLength(metadata.functions.length);
    const example = at.page.locator("#formulas-list code").first();
    await example.click(); // selects it whole
    expect(await at.page.evaluate(() => getSelection()?.toString())).toBe(examples[0]);
    await at.page.keyboard.press("Escape");
    const focused = await at.page.evaluate(() => document.activeElement?.id);
    expect([await isHelpOpen(), focused]).toEqual([false, "formulas-label"]);
  });

  it("closes with a click elsewhere, which also selects that cell", async () => {
    await select("A3");
    await type(at.page, ["A1", "=1/0"]);
    await waitForSentence(false);
    await at.page.click("#formulas-label");
    await select("A1");
    await waitForSentence(true);
    expect(await isHelpOpen()).toBe(false);
  });
});

describe("a long error sentence", () => {
  it.each([800, 1440])("does not move the grid at a width of %d", async (width) => {
    await at.page.setViewportSize({ width, height: 900 });
    const readTop = () => at.page.evaluate(() => document.getElementById("workbook")?.getBoundingClientRect().top);
    await select("A1");
    await waitForSentence(false);
    const top = await readTop();
    await type(at.page, ["A1", `=FEED.FINANCIAL("3d1ce6e7-7fd1-463c-ab13-8646d111213d",1901,"Revenue")`]);
    await waitForSentence(true);
    expect(await readTop()).toBe(top);
    const message = (await read(at.page, "A1")).error?.message ?? "";
    expect(message.length).toBeGreaterThan(100);
    const line = await at.page.evaluate(() => {
      const element = document.getElementById("cell-error") as HTMLElement;
      getSelection()?.selectAllChildren(element);
      const { right } = element.getBoundingClientRect();
      const button = document.getElementById("formulas-label")?.getBoundingClientRect().left ?? 0;
      const isInPlace = right <= button && document.documentElement.scrollWidth <= innerWidth;
      return { title: element.title, selected: String(getSelection()), isInPlace };
    });
    expect(line).toEqual({ title: `#N/A ${message}`, selected: `#N/A ${message}`, isInPlace: true });
  });
});
