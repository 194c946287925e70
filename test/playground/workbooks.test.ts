import { beforeEach, describe, expect, it } from "@jest/globals";
import "fake-indexeddb/auto";
import { IDBFactory } from "fake-indexeddb";
import { Autosave, type SaveState } from "../../src/playground/workbooks/autosave";
import { pickFreeName } from "../../src/playground/workbooks/names";
import { findStore, type StoredWorkbook, type Unsaved, type WorkbookStore } from "../../src/playground/workbooks/store";

const MODEL: Unsaved = { id: "model", name: "Model" };

let store: WorkbookStore;
beforeEach(async () => {
  globalThis.indexedDB = new IDBFactory();
  store = (await findStore()) as WorkbookStore;
});

const listNames = async () => (await store.list()).map(({ name }) => name).sort();
const readText = async (id: string) => (await store.open(id))?.snapshot;

/** A window with the open workbook; its text is what the next save reads. */
function openWindow(workbook: Unsaved, given: WorkbookStore | null = store) {
  const states: SaveState[] = [];
  const saves: StoredWorkbook[] = [];
  const content = { text: "" };
  const autosave = new Autosave({
    store: given ?? undefined,
    read: () => content.text,
    onState: (state) => states.push(state),
    onSave: (saved) => saves.push(saved),
  });
  autosave.begin(workbook);
  const change = async (text: string) => {
    content.text = text;
    autosave.change();
    await autosave.flush();
  };
  return { autosave, content, change, saves, last: () => states.at(-1) };
}

describe("a workbook of this browser", () => {
  it("is saved at its first change, and not by being opened", async () => {
    const { autosave, change, last } = openWindow(MODEL);
    await autosave.flush();
    expect([await listNames(), last()]).toEqual([[], { kind: "unchanged" }]);
    await change("one");
    expect([await listNames(), last()]).toEqual([["Model"], { kind: "saved", atMs: expect.any(Number) }]);
    expect(await readText("model")).toBe("one");
  });

  it("is not saved for its settings alone before that, and for them from then on", async () => {
    const { autosave, change, content } = openWindow(MODEL);
    autosave.change(false);
    await autosave.flush();
    expect(await listNames()).toEqual([]);
    await change("one");
    content.text = "one with settings";
    autosave.change(false);
    await autosave.flush();
    expect(await readText("model")).toBe("one with settings");
  });

  it("is saved with the last of changes that follow one another", async () => {
    const { change } = openWindow(MODEL);
    await Promise.all([change("one"), change("two"), change("three")]);
    expect([await readText("model"), await listNames()]).toEqual(["three", ["Model"]]);
  });

  it("has a number where another one has its name", async () => {
    await openWindow(MODEL).change("one");
    const { autosave, change } = openWindow({ id: "other", name: "model" });
    await change("two");
    expect(autosave.workbook.name).toBe("model (2)");
    expect(await listNames()).toEqual(["Model", "model (2)"]);
  });

  it("keeps both versions where two windows change it, and each window goes on with its own", async () => {
    const first = openWindow({ id: "shared", name: "Shared" });
    await first.change("common");
    const second = openWindow(first.autosave.workbook);
    await first.change("of the first");
    await second.change("of the second");
    expect([first.autosave.workbook.name, second.autosave.workbook.name]).toEqual(["Shared", "Shared (2)"]);
    await second.change("of the second again");
    await first.change("of the first again");
    expect(await listNames()).toEqual(["Shared", "Shared (2)"]);
    expect([await readText("shared"), await readText(second.autosave.workbook.id)]).toEqual([
      "of the first again",
      "of the second again",
    ]);
  });

  it("keeps the name that another window has given it", async () => {
    const { change, autosave } = openWindow(MODEL);
    await change("one");
    expect(await store.rename("model", "Budget")).toBe("Budget");
    await change("two");
    expect([await listNames(), autosave.workbook.name]).toEqual([["Budget"], "Budget"]);
  });

  it("is saved again where another window has deleted it", async () => {
    const { change } = openWindow(MODEL);
    await change("one");
    await store.remove("model");
    await change("two");
    expect([await listNames(), await readText("model")]).toEqual([["Model"], "two"]);
  });

  it("is saved by the next window where its own was closed before", async () => {
    const { autosave, change } = openWindow(MODEL);
    await change("one");
    await store.leave(autosave.workbook, "two");
    await findStore();
    expect([await listNames(), await readText("model")]).toEqual([["Model"], "two"]);
    await findStore();
    expect(await listNames()).toEqual(["Model"]);
  });

  it("is one workbook where its last save came through though its window was closing", async () => {
    const { autosave, change } = openWindow(MODEL);
    await change("one");
    const { workbook } = autosave;
    await change("two");
    await store.leave(workbook, "two");
    await findStore();
    expect([await listNames(), await readText("model")]).toEqual([["Model"], "two"]);
  });

  it("is one workbook where its window came back after it had been left", async () => {
    const { autosave, change } = openWindow(MODEL);
    await change("one");
    await store.leave(autosave.workbook, "two");
    await change("three");
    await findStore();
    expect([await listNames(), await readText("model")]).toEqual([["Model"], "three"]);
  });

  it("is saved again after the browser has closed the database", async () => {
    const { change } = openWindow(MODEL);
    await change("one");
    await new Promise((resolve) => {
      indexedDB.deleteDatabase("feed-playground").onsuccess = resolve;
    });
    await change("two");
    expect(await readText("model")).toBe("two");
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
    const { autosave, change, last } = openWindow(MODEL, failing(name));
    await change("one");
    expect([last(), autosave.isFailing]).toEqual([{ kind: "failed", reason }, true]);
  });

  it("are told where the browser keeps nothing", async () => {
    const { autosave, change, last } = openWindow(MODEL, null);
    expect(autosave.isFailing).toBe(false);
    await change("one");
    expect([last(), autosave.isFailing]).toEqual([{ kind: "failed", reason: "missing" }, true]);
  });

  it("are saved as soon as there is room again", async () => {
    const refusing = failing("QuotaExceededError");
    const { save } = store;
    const { autosave, change } = openWindow(MODEL, refusing);
    await change("one");
    refusing.save = save;
    await autosave.flush();
    expect([autosave.isFailing, await readText("model")]).toEqual([false, "one"]);
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

it.each([
  ["Model", [], "Model"],
  ["Model", ["model"], "Model (2)"],
  ["Model (2)", ["Model", "Model (2)"], "Model (3)"],
  ["Model (2)", ["Model"], "Model (2)"],
  ["", [""], " (2)"],
])("a free name of %j beside %j is %j", (wanted, taken, free) => {
  expect(pickFreeName(wanted, taken)).toBe(free);
});
