import { afterEach, describe, expect, it } from "@jest/globals";
import type { BrowserContext, Page } from "playwright-core";
import { clearWorkbook, read, readRange, reload, type, waitFor, waitUntilSaved } from "./playground-page";
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
    await other.getByText("Another window has changed the workbook too.").waitFor();
    expect(await readRange(page, "A1:A1")).toEqual([["of the first"]]);
    await reload(page);
    await waitFor(page, "A1", "of the second");
    expect(await page.locator("#others button").allInnerTexts()).toEqual(["Workbook", "Delete the others…"]);
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
    expect((await read(page, "A1")).value).toBeNull();
    expect(await page.locator("#others button").first().innerText()).toBe("Workbook");
    await page.getByText("“Workbook” cannot be read, so it was not opened.").waitFor();
  });
});
