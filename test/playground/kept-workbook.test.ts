import { beforeEach, describe, expect, it } from "@jest/globals";
import { IDBFactory } from "fake-indexeddb";
import { Autosave } from "../../src/playground/kept-workbook";
import { findStore, type WorkbookStore } from "../../src/playground/kept-workbook/store";
import type { SaveState } from "../../src/playground/kept-workbook/view";
import "fake-indexeddb/auto";

let store: WorkbookStore;
beforeEach(async () => {
  globalThis.indexedDB = new IDBFactory();
  store = (await findStore()) as WorkbookStore;
});

/** What the browser keeps, the last opened first. */
const readAll = async () =>
  Promise.all((await store.list()).map(async ({ id, name }) => `${name}: ${await store.read(id)}`));

/** A window with the workbook that the browser keeps, else a new one; its text is what the next save reads. */
async function openWindow(given: WorkbookStore | null = store) {
  const states: SaveState[] = [];
  const content = { text: "" };
  let splits = 0;
  const autosave = new Autosave({
    store: given ?? undefined,
    read: () => content.text,
    onState: (state) => states.push(state),
    onSplit: () => splits++,
  });
  const [kept] = await store.list();
  if (kept) autosave.resume(kept);
  else autosave.replace("Model");
  const change = async (text: string) => {
    content.text = text;
    autosave.change();
    await autosave.flush();
  };
  return { autosave, content, change, splits: () => splits, last: () => states.at(-1) };
}

describe("the workbook of this browser", () => {
  it("is saved at its first change, and not by being opened", async () => {
    const { autosave, change, last } = await openWindow();
    await autosave.flush();
    expect([await readAll(), autosave.hasContent, last()]).toEqual([[], false, { kind: "unchanged" }]);
    await change("one");
    expect([await readAll(), autosave.hasContent]).toEqual([["Model: one"], true]);
    expect(last()).toEqual({ kind: "saved", atMs: expect.any(Number) });
  });

  it("is not saved for its settings alone before that, and for them from then on", async () => {
    const { autosave, change, content } = await openWindow();
    autosave.change(false);
    await autosave.flush();
    expect(await readAll()).toEqual([]);
    await change("one");
    content.text = "one with settings";
    autosave.change(false);
    await autosave.flush();
    expect(await readAll()).toEqual(["Model: one with settings"]);
  });

  it("is saved with the last of changes that follow one another", async () => {
    const { change } = await openWindow();
    await Promise.all([change("one"), change("two"), change("three")]);
    expect(await readAll()).toEqual(["Model: three"]);
  });

  it("stays until the one that replaces it is changed, and then is that one", async () => {
    const { autosave, change, last } = await openWindow();
    await change("one");
    autosave.replace("Budget");
    expect([await readAll(), autosave.hasContent, last()]).toEqual([["Model: one"], false, { kind: "unchanged" }]);
    await change("two");
    expect(await readAll()).toEqual(["Budget: two"]);
  });

  it("stays where a script opens another", async () => {
    const { autosave, change } = await openWindow();
    await change("one");
    autosave.leaveStored("Workbook of a script");
    await change("two");
    expect((await readAll()).sort()).toEqual(["Model: one", "Workbook of a script: two"]);
  });

  it("is kept in both versions where two windows change it, and each window goes on with its own", async () => {
    const first = await openWindow();
    await first.change("common");
    const second = await openWindow();
    await first.change("of the first");
    await second.change("of the second");
    expect([first.splits(), second.splits()]).toEqual([0, 1]);
    await first.change("of the first again");
    await second.change("of the second again");
    expect((await readAll()).sort()).toEqual(["Model: of the first again", "Model: of the second again"]);
  });

  it("is no one's to replace where another window has changed it", async () => {
    const first = await openWindow();
    await first.change("common");
    const second = await openWindow();
    await first.change("of the first");
    second.autosave.replace("Budget");
    await second.change("new");
    expect((await readAll()).sort()).toEqual(["Budget: new", "Model: of the first"]);
  });

  it("is saved by the next window where its own was closed before", async () => {
    const { autosave, change } = await openWindow();
    await change("one");
    await store.leave(autosave.workbook, "two");
    await findStore();
    expect(await readAll()).toEqual(["Model: two"]);
    await findStore();
    expect(await readAll()).toEqual(["Model: two"]);
  });

  it("is one workbook where its last save came through though its window was closing", async () => {
    const { autosave, change } = await openWindow();
    await change("one");
    const { workbook } = autosave;
    await change("two");
    await store.leave(workbook, "two");
    await findStore();
    expect(await readAll()).toEqual(["Model: two"]);
  });

  it("is one workbook where its window came back after it had been left", async () => {
    const { autosave, change } = await openWindow();
    await change("one");
    await store.leave(autosave.workbook, "two");
    await change("three");
    await findStore();
    expect(await readAll()).toEqual(["Model: three"]);
  });

  it("is saved again after the browser has closed the database", async () => {
    const { change } = await openWindow();
    await change("one");
    await new Promise((resolve) => {
      indexedDB.deleteDatabase("feed-playground").onsuccess = resolve;
    });
    await change("two");
    expect(await readAll()).toEqual(["Model: two"]);
  });
});

describe("changes that cannot be saved", () => {
  const failing = (name: string): WorkbookStore => ({
    ...store,
    save: async () => {
      throw new DOMException("", name);
    },
  });

  it.each([
    ["QuotaExceededError", "full"],
    ["UnknownError", "refused"],
  ] as const)("are told, and are left unsaved: %s", async (name, reason) => {
    const { autosave, change, last } = await openWindow(failing(name));
    await change("one");
    expect([last(), autosave.isFailing]).toEqual([{ kind: "failed", reason }, true]);
  });

  it("are told where the browser keeps nothing", async () => {
    const { autosave, change, last } = await openWindow(null);
    expect(autosave.isFailing).toBe(false);
    await change("one");
    expect([last(), autosave.isFailing]).toEqual([{ kind: "failed", reason: "missing" }, true]);
  });

  it("are saved as soon as there is room again", async () => {
    const refusing = failing("QuotaExceededError");
    const { save } = store;
    const { autosave, change } = await openWindow(refusing);
    await change("one");
    refusing.save = save;
    await autosave.flush();
    expect([autosave.isFailing, await readAll()]).toEqual([false, ["Model: one"]]);
  });
});

it("the store is missing where the browser refuses it", async () => {
  Object.defineProperty(globalThis, "indexedDB", {
    configurable: true,
    writable: true,
    value: {
      open() {
        throw new DOMException("", "SecurityError");
      },
    },
  });
  expect(await findStore()).toBeUndefined();
});
