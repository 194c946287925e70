import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { createRowPacker, unpackRows } from "../../src/feed/persisted-cache/packing";
import CASES from "./persisted-cache-packing.json";

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
    fc.assert(
      fc.property(fc.array(value, { maxLength: 6 }), (rows) => {
        expect(JSON.stringify(unpackRows(pack(rows)))).toBe(JSON.stringify(rows));
      }),
      { seed: 7, numRuns: 400 },
    );
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
