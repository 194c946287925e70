import { beforeEach, describe, expect, it } from "@jest/globals";
import { PAGE_TYPES } from "../../src/contract/parameter-values";
import { readRange, readSettled, waitFor } from "./playground-page";
import { createPlaygroundPage } from "./surroundings";

const at = createPlaygroundPage();
beforeEach(() => at.page.click(".o-grid-overlay", { position: { x: 40, y: 12 } })); // A1

const quote = (values: readonly string[]) => values.map((value) => `"${value}"`);

/** Waits until the cell editor has a text with the caret at its end, and suggests exactly these; null for any. */
async function waitForProposals(text: string, proposals: readonly string[] | null): Promise<void> {
  await at.page.waitForFunction(
    ([wanted, values]) => {
      const editor = document.querySelector(".o-grid .o-composer");
      const selection = getSelection();
      if (!editor || !selection?.focusNode || !editor.contains(selection.focusNode)) return false;
      const before = document.createRange();
      before.setStart(editor, 0);
      before.setEnd(selection.focusNode, selection.focusOffset);
      const shown = [...document.querySelectorAll<HTMLElement>(".o-autocomplete-value")].map((each) => each.innerText);
      const isTyped = before.toString() === wanted && editor.textContent === wanted;
      return isTyped && (values === null || JSON.stringify(shown) === JSON.stringify(values));
    },
    [text, proposals] as const,
  );
}

/** Presses a key and releases it when the page shows its effect, since the engine reads the caret on release. */
async function hold(key: string, untilShown: () => Promise<void>): Promise<void> {
  await at.page.keyboard.down(key);
  await untilShown();
  await at.page.keyboard.up(key);
}

/** Types more text, at the speed of what the editor shows. */
async function write(more: string, written = ""): Promise<void> {
  for (let count = 1; count <= more.length; count++) {
    const text = written + more.slice(0, count);
    await hold(text.slice(-1), () => waitForProposals(text, null));
  }
}

const take = (text: string) => hold("Tab", () => waitForProposals(text, []));

describe("a formula typed by keyboard", () => {
  it("is suggested by name, and its page types with their meaning, beside argument help", async () => {
    await write("=FEED.RA");
    const names = ["", ".PAGES", ".TREND", ".MOVERS", ".INDUSTRIES"].map((name) => `FEED.RANKING${name}`);
    await waitForProposals("=FEED.RA", names);
    const second = at.page.locator(".o-autocomplete-value-focus", { hasText: "FEED.RANKING.PAGES" });
    await hold("ArrowDown", () => second.waitFor());
    await take("=FEED.RANKING.PAGES(");
    await write('"2024-01",,', "=FEED.RANKING.PAGES(");
    await waitForProposals('=FEED.RANKING.PAGES("2024-01",,', quote(PAGE_TYPES));
    const help = (await at.page.locator(".o-composer-assistant").innerText()).replace(/\s+/g, " ");
    expect(help).toContain("Company overview");
    expect(help).toContain("One type of page");
    await write('"NEW', '=FEED.RANKING.PAGES("2024-01",,');
    await waitForProposals('=FEED.RANKING.PAGES("2024-01",,"NEW', quote(["NEWS"]));
    await take('=FEED.RANKING.PAGES("2024-01",,"NEWS"');
    await at.page.keyboard.type(",20)");
    await at.page.keyboard.press("Enter");
    await waitFor(at.page, "A21", 20);
    expect((await readRange(at.page, "A1:A1")).flat()).toEqual(["Rank"]);
  });

  it("accepts a value that is not suggested, and is removed by one undo", async () => {
    await at.page.keyboard.type('=FEED.RANKING("2024-01",,3,"companyName,rank")');
    await at.page.keyboard.press("Enter");
    await readSettled(at.page, "A1");
    expect(await readRange(at.page, "A1:B1")).toEqual([["Company", "Rank"]]);
    await at.page.keyboard.press("Control+z");
    await at.page.waitForFunction(() => window.playground.live() === 0);
    expect(await readRange(at.page, "A1:B1")).toEqual([[null, null]]);
  });
});
