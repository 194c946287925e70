import { afterEach, describe, expect, it } from "@jest/globals";
import type { BrowserContext, Page } from "playwright-core";
import {
  chooseInMenu,
  clearWorkbook,
  read,
  readRange,
  reload,
  type,
  waitFor,
  waitForName,
  waitUntilSaved,
} from "./playground-page";
import { createOpening, createToyPages } from "./surroundings";

const at = createToyPages();
const openIn = createOpening(() => at.origin);

afterEach(async () => {
  for (const context of at.browser.contexts()) await context.close();
});

/** Opens the playground with empty storage. */
async function open(script = ""): Promise<Page> {
  const context = await at.browser.newContext({ viewport: { width: 1440, height: 900 } });
  await context.addInitScript(script);
  return openIn(context);
}

const enter = async (page: Page, ...entries: [cell: string, text: string][]) => {
  await type(page, ...entries);
  await waitUntilSaved(page);
};
const readName = (page: Page) => page.textContent("#workbook-name");
const press = (page: Page, name: string) => page.getByRole("dialog").getByRole("button", { name, exact: true }).click();
const listWorkbooks = async (page: Page) => {
  await chooseInMenu(page, "Open…");
  await page.getByRole("dialog").waitFor();
  const names = await page.locator(".dialog-list span").allInnerTexts();
  await press(page, "Cancel");
  return names.sort();
};
const fillQuota = async (context: BrowserContext, page: Page, quotaSize?: number) => {
  const devTools = await context.newCDPSession(page);
  await devTools.send("Storage.overrideQuotaForOrigin", { origin: at.origin, ...(quotaSize && { quotaSize }) });
};

describe("a workbook of this browser", () => {
  it("is saved when its window is closed before that", async () => {
    const page = await open();
    await type(page, ["A1", "last words"]);
    const closed = page.waitForEvent("close");
    await page.close({ runBeforeUnload: true });
    await closed;
    const other = await openIn(page.context());
    expect((await read(other, "A1")).value).toBe("last words");
  });

  it("is told where another window changes it, which goes on with its own version", async () => {
    const page = await open();
    await enter(page, ["A1", "mine"]);
    const other = await openIn(page.context());
    await waitFor(other, "A1", "mine");
    await enter(page, ["A1", "of the first"]);
    await type(other, ["A1", "of the second"]);
    await other.getByText("Another window has changed “Workbook” too.").waitFor();
    await waitForName(other, "Workbook (2)");
    expect(await readRange(page, "A1:A1")).toEqual([["of the first"]]);
  });

  it("is not the one that a script has opened", async () => {
    const page = await open();
    await enter(page, ["A1", "mine"]);
    await clearWorkbook(page);
    await type(page, ["A1", "the script's"]);
    await reload(page);
    expect((await read(page, "A1")).value).toBe("mine");
  });
});

describe("the menu of workbooks", () => {
  it("deletes nothing before it is confirmed, and Escape returns to the menu", async () => {
    const page = await open();
    await enter(page, ["A1", "first"]);
    await chooseInMenu(page, "Delete…");
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe("SUMMARY");
    expect(await listWorkbooks(page)).toEqual(["Workbook"]);
  });
});

describe("a browser that does not store", () => {
  it("is told where its storage is full; leaving asks first, until there is room", async () => {
    const page = await open();
    await page.click(".o-grid-overlay", { position: { x: 40, y: 60 } }); // browsers ask those alone who have used the page
    await fillQuota(page.context(), page, 1);
    await type(page, ["A1", "1"]);
    await page.locator("#save-state", { hasText: "Not saved: the browser’s storage is full" }).waitFor();
    const asked = page.waitForEvent("dialog");
    const leaving = page.close({ runBeforeUnload: true });
    await (await asked).dismiss();
    await leaving;
    await fillQuota(page.context(), page);
    await enter(page, ["A2", "2"]);
    await reload(page);
    expect((await read(page, "A1")).value).toBe(1);
  });

  it("is told in a private window without storage, which works all the same", async () => {
    const page = await open('indexedDB.open = () => { throw new DOMException("blocked", "SecurityError"); };');
    await page.getByText("This browser stores nothing for this page").waitFor();
    await type(page, ["A1", "=2*3"]);
    expect((await read(page, "A1")).value).toBe(6);
    await page.locator("#save-state", { hasText: "Not saved: this browser stores nothing here" }).waitFor();
    await page.click("#workbooks summary");
    await page.locator("#workbooks-list button", { hasText: "Duplicate" }).waitFor({ state: "hidden" });
    expect(await page.locator("#workbooks-list button:visible").allInnerTexts()).toEqual([
      "New",
      "Open an Excel file…",
      "Rename…",
      "Download as Excel",
    ]);
  });

  it("opens a new workbook beside one that is damaged", async () => {
    const page = await open();
    await enter(page, ["A1", "1"]);
    await page.evaluate(async () => {
      const opening = indexedDB.open("feed-playground");
      await new Promise((resolve) => {
        opening.onsuccess = resolve;
      });
      const transaction = opening.result.transaction("snapshots", "readwrite");
      transaction.objectStore("snapshots").openCursor().onsuccess = ({ target }) =>
        (target as IDBRequest<IDBCursorWithValue | null>).result?.update("{");
      await new Promise((resolve) => {
        transaction.oncomplete = resolve;
      });
      opening.result.close();
    });
    await reload(page);
    expect(await readName(page)).toBe("Workbook (2)");
    await page.getByText("“Workbook” cannot be read, so it was not opened.").waitFor();
  });
});
