import { expect, it } from "@jest/globals";
import fc from "fast-check";
import { toMadeSheets } from "../../src/session/persisted-settings";
import { createFileStore, type FileStore, merge } from "../../src/taskpane/file-store";
import { toRuns } from "../support/property";

type Listed = Readonly<Record<string, unknown>>;

/** The file of one workbook, which each page has a copy of, as Office does: a save writes the whole copy. */
function createFile() {
  let file = "{}";
  const changed: (() => void)[] = [];
  /** @param isHeard whether the page hears of others' changes */
  const open = (isHeard: boolean) => {
    let copy: Listed = JSON.parse(file);
    return {
      get: (name: string) => copy[name] ?? null,
      set: (name: string, value: unknown) => {
        copy = { ...copy, [name]: JSON.parse(JSON.stringify(value)) };
      },
      refreshAsync(done: (result: unknown) => void) {
        copy = JSON.parse(file);
        queueMicrotask(() => done({ status: "succeeded" }));
      },
      saveAsync(done: (result: unknown) => void) {
        file = JSON.stringify(copy);
        done({ status: "succeeded" });
        for (const listener of changed) listener();
      },
      addHandlerAsync: (_: unknown, listener: () => void) => void (isHeard && changed.push(listener)),
    };
  };
  return {
    open: open as (isHeard: boolean) => unknown as (isHeard: boolean) => Office.Settings,
    read: () => JSON.parse(file),
  };
}

Object.assign(globalThis, {
  Office: { AsyncResultStatus: { Failed: "failed" }, EventType: { SettingsChanged: "settingsChanged" } },
});

const readList = (store: FileStore): Listed[] => (Object(store.read("feed")) as { sheets?: Listed[] }).sheets ?? [];

interface Step {
  person: number;
  name: string;
  act: "put" | "remove";
  isHeard: boolean;
  isHurried: boolean;
}

const STEP: fc.Arbitrary<Step> = fc.record({
  person: fc.nat(1),
  name: fc.constantFrom("a", "b", "c", "d"),
  act: fc.constantFrom("put", "put", "remove"),
  isHeard: fc.boolean(),
  isHurried: fc.boolean(),
});

it("keeps each decision of two people in one workbook, in any order, whether or not a page hears of the other's", () =>
  fc.assert(
    fc.asyncProperty(fc.array(STEP, { maxLength: 12 }), async (steps) => {
      const file = createFile();
      const pages = [0, 1].map((person) => {
        const settings = file.open(steps.some((step) => step.person === person && step.isHeard));
        const store = createFileStore(() => settings);
        const own: { list: Listed[] } = { list: readList(store) };
        store.onOthers(() => {
          own.list = readList(store);
        });
        return { store, own };
      });
      const expected = new Map<string, Listed>();
      for (const [version, { person, name, act, isHurried }] of steps.entries()) {
        const { store, own } = pages[person] as (typeof pages)[number];
        await pages[1 - person]?.store.store();
        const others = own.list.filter((entry) => entry.name !== name);
        const seen = own.list.find((entry) => entry.name === name);
        if (act === "remove" && seen === undefined) continue; // nobody removes what they do not see
        own.list = act === "put" ? [...others, { name, version }] : others;
        if (act === "put") expected.set(name, { name, version });
        else if (expected.get(name)?.version === seen?.version) expected.delete(name); // else it is the other's, and stays
        const { list } = own;
        const stored = store.store(["feed", (before) => ({ ...Object(before), sheets: list })]);
        if (isHurried) continue; // the next decision comes while this one is written
        await stored;
      }
      for (const { store } of pages) await store.store();
      const { sheets = [] }: { sheets?: Listed[] } = file.read().feed ?? {};
      const byName = (one: Listed, other: Listed) => String(one.name).localeCompare(String(other.name));
      expect([...sheets].sort(byName)).toEqual([...expected.values()].sort(byName));
    }),
    { numRuns: toRuns(200, 5_000) },
  ));

it("takes what nobody decided only where no decision of the other person contradicts it", async () => {
  const file = createFile();
  const open = () => {
    const settings = file.open(false);
    return createFileStore(() => settings);
  };
  const [mine, others] = [open(), open()];
  const toList = (version: number) => () => ({ sheets: [{ name: "a", version }] });
  await others.store(["feed", toList(2)]);
  mine.storeLater("feed", toList(1));
  await mine.store(["other", () => 1]);
  expect(file.read()).toEqual({ feed: toList(2)(), other: 1 });
  await mine.store(["feed", toList(3)]);
  expect(file.read().feed).toEqual(toList(3)());
});

const SHEET = { name: "A", template: "ranking", id: "1" };
const DAILY = { kind: "daily", atMinutes: 540, weekday: 0 };

it.each([
  [
    "names to match",
    { review: { sheet: "A", address: "A2:A10" } },
    { review: { sheet: "A", address: "C2:C500" } },
    { review: { sheet: "B", address: "A2:A10" } },
  ],
  [
    "a name's company",
    [{ name: "Foo", country: "JPN", companyId: "1", companyName: "Foo KK" }],
    [{ name: "Foo", country: "JPN", companyId: "2", companyName: "Foo KK" }],
    [{ name: "Foo", country: "JPN", companyId: "3", companyName: "Bar" }],
  ],
])("takes %s as one of two people chose it, and mixes no parts", (_, base, mine, theirs) => {
  expect(merge(base, mine, theirs)).toEqual(mine);
});

it("lists a sheet once that one person renamed while another gave it a schedule", () => {
  const sheets = merge([SHEET], [{ ...SHEET, schedule: DAILY }], [{ ...SHEET, name: "B" }]);
  expect(toMadeSheets(sheets)).toEqual([{ ...SHEET, schedule: DAILY }]);
});
