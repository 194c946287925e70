import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { openDB } from "idb";
import { createRowPacker, unpackRows } from "../../src/feed/persisted-cache/packing";
import { toRuns } from "../support/property";
import { until } from "../support/until";
import CASES from "./persisted-cache-packing.json";
import { createPage, keepFreshStorage, readPersisted, untilPersisted } from "./persisted-cache-storage";

const surroundings = keepFreshStorage();

/** A list of about a million characters. */
const toList = (name: string) => ({
  rows: Array.from({ length: 4_000 }, (_, at) => ({ name: `${name} ${at}`, views: "9".repeat(230) })),
  expected: 4_000,
});

/** A page that counts its pauses while it makes texts. */
function createCountedPage() {
  let listener = () => {};
  surroundings.addEventListener = (_: string, called: () => void) => {
    listener = called;
  };
  const page = createPage();
  const pauses: (() => void)[] = [];
  const { after } = page.clock.ports;
  page.clock.ports.after = (delayMs, callback) =>
    after(delayMs, delayMs === 0 ? () => void pauses.push(callback) : callback);
  return {
    ...page,
    /** Pauses so far, the last of which goes on when it is called. */
    pauses,
    hide: () => listener(),
    /** Goes on whenever the page pauses, until so. */
    async goOn(isSo: () => boolean | Promise<boolean>) {
      let done = 0;
      await until(async () => {
        while (done < pauses.length) pauses[done++]?.();
        return isSo();
      });
    },
  };
}

const countPersisted = async () => (await readPersisted()).answers.size;

describe("a list of some megabytes", () => {
  it("is written in slices, with a pause between two of them, and read as it was", async () => {
    const page = createCountedPage();
    const list = toList("Company");
    page.store("list", list);
    await page.goOn(async () => (await countPersisted()) === 1);
    const { answers, uses, slices } = await readPersisted();
    expect([...slices.values()].map(({ length }) => length < 260_000)).toEqual(Array(slices.size).fill(true));
    expect(slices.size).toBeGreaterThan(3);
    expect(page.pauses.length).toBeGreaterThanOrEqual(slices.size - 1);
    const text = answers.get("client\nlist")?.text ?? "";
    expect(text).toBe('{"rows":[],"expected":4000}');
    const characters = [...slices.values(), text].reduce((sum, { length }) => sum + length, 0);
    expect(uses.get("client\nlist")?.characters).toBe(characters);
    expect(await createPage().load("list")).toEqual(list);
  });

  it("is one row where it is short", async () => {
    const page = createPage();
    await page.persist({ list: { rows: [{ name: "Company" }], expected: 1 } });
    expect((await readPersisted()).slices.size).toBe(0);
    expect(await createPage().load("list")).toEqual({ rows: [{ name: "Company" }], expected: 1 });
  });

  it.each<[string, string | undefined]>([
    ["is missing", undefined],
    ["is cut", '[{"name":"Comp'],
  ])("is dropped with all slices where one %s", async (_, slice) => {
    await createPage().persist({ list: toList("Company") });
    const database = await openDB("feed-answers");
    if (slice === undefined) await database.delete("slices", "client\nlist\n2");
    else await database.put("slices", slice, "client\nlist\n2");
    database.close();
    expect(await createPage().load("list")).toBeNull();
    await until(async () => (await readPersisted()).slices.size === 0);
    expect(await countPersisted()).toBe(0);
  });

  it("is evicted with its slices", async () => {
    const page = createPage("client", 1_500_000);
    await page.persist({ first: toList("Company") });
    page.store("second", toList("Other"));
    await until(async () => (await readPersisted()).answers.has("client\nsecond") && (await countPersisted()) === 1);
    expect([...(await readPersisted()).slices.keys()].filter((key) => !key.startsWith("client\nsecond\n"))).toEqual([]);
    expect(await createPage().load("second")).toEqual(toList("Other"));
  });

  it("is written at once when the page closes meanwhile", async () => {
    const page = createCountedPage();
    page.store("list", toList("Company"));
    await until(() => page.pauses.length === 1);
    page.hide();
    await untilPersisted(1);
    expect(await createPage().load("list")).toEqual(toList("Company"));
  });

  it("is not written where a person forgets all meanwhile", async () => {
    const page = createCountedPage();
    page.store("list", toList("Company"));
    await until(() => page.pauses.length === 1);
    await page.answers.forget();
    page.store("other", "value");
    await page.goOn(async () => (await countPersisted()) === 1);
    expect(await createPage().load("list")).toBeNull();
    expect(await createPage().load("other")).toBe("value");
  });

  it("that comes anew while its text is made is the one that stays", async () => {
    const page = createCountedPage();
    page.store("list", toList("Company"), 1_000);
    await until(() => page.pauses.length === 1);
    page.store("list", toList("Other"), 2_000);
    await page.goOn(async () => (await readPersisted()).uses.get("client\nlist")?.asOfMs === 2_000);
    expect(await createPage().load("list")).toEqual(toList("Other"));
  });
});

function pack(rows: readonly unknown[]): string {
  const packer = createRowPacker();
  for (const row of rows) packer.add(row);
  return packer.finish();
}

const names = fc.constantFrom("companyName", "pages", "NEWS", "", "1", "__proto__", "a\nb", "rows");
const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: "small" },
    fc.constantFrom<unknown>(null, true, -1, 0, 2.5, "", "text", '"[', -0.5),
    fc.array(tie("value"), { maxLength: 4 }),
    fc.array(fc.tuple(names, tie("value")), { maxLength: 4 }).map((fields) => JSON.parse(toJson(fields))),
  ),
}));

/** An object with fields of any name; the last of one name counts. */
const toJson = (fields: readonly (readonly [string, unknown])[]): string =>
  `{${fields.map(([name, field]) => `${JSON.stringify(name)}:${JSON.stringify(field)}`).join(",")}}`;

describe("packed rows", () => {
  it("are the rows that were packed, to the order of their fields", () => {
    const law = fc.property(fc.array(value, { maxLength: 6 }), (rows) => {
      expect(JSON.stringify(unpackRows(pack(rows)))).toBe(JSON.stringify(rows));
    });
    fc.assert(law, { seed: 7, numRuns: toRuns(400, 3_000) });
  });

  it("have the names of their fields once", () => {
    const toPages = (views: number) => ({
      OVERVIEW: { totalPageViews: views },
      NEWS: null,
      OTHER: { totalPageViews: 0 },
    });
    const rows = Array.from({ length: 100 }, (_, at) => ({ companyName: `Company ${at}`, pages: toPages(at) }));
    expect(pack(rows).split('"totalPageViews"')).toHaveLength(2);
    expect(unpackRows(pack(rows))).toEqual(rows);
  });

  it("lack the fields without a value, as their JSON does", () => {
    expect(unpackRows(pack([{ a: undefined, b: 1 }, { a: 2 }]))).toEqual([{ b: 1 }, { a: 2 }]);
  });

  it.each(CASES.damaged)("are damaged where the text is another: %s", (text) => {
    expect(() => unpackRows(text)).toThrow(SyntaxError);
  });
});
