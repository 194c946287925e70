import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { findElements, isElementOf, joinFinancials, splitFinancials } from "../../../src/firm/reads/shared/split";
import ANSWERS from "./batch-answers.json";

const SEED = 20_261_122;
const A = "0000000a-0000-4000-8000-000000000000";
const B = "0000000b-0000-4000-8000-000000000000";
const C = "0000000c-0000-4000-8000-000000000000";

const blanks = fc.constantFrom("", " ", "\n", "\t ", "\r\n  ");
/** JSON in any valid notation: blanks, escapes, and numbers unlike JSON.stringify's. */
const values = fc.letrec<{ value: string }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom("null", "true", "-0.0", "1e5", "12345678901234567890.10", '"\\u005d\\"}"', '"\\\\"', '"]},{["'),
    fc.string({ unit: "binary" }).map((text) => JSON.stringify(text)),
    fc
      .tuple(blanks, fc.array(tie("value"), { maxLength: 3 }))
      .map(([blank, all]) => `[${blank}${all.join(`${blank},`)}]`),
    fc
      .tuple(blanks, fc.array(fc.tuple(fc.string(), tie("value")), { maxLength: 3 }))
      .map(
        ([blank, all]) =>
          `{${all.map(([name, value]) => `${JSON.stringify(name)}${blank}:${value}`).join(`,${blank}`)}}`,
      ),
  ),
})).value;

const element = (companyId: string, years: string = "[]") => `{ "years": ${years}, "companyId":"${companyId}" }`;
const envelope = (elements: readonly string[], total: unknown = elements.length) =>
  Buffer.from(`{"data":[${elements.join(", ")}],"page":1,"pageSize":25,"total":${JSON.stringify(total)}}`);
const split = (body: Buffer, ids = [A, B], year: number | "all" = 2023) => {
  const found = splitFinancials(body, ids, year);
  return found && { ids: [...found.found.keys()], isComplete: found.isComplete };
};

describe("the elements of an answer", () => {
  it("are the provider's bytes, for any JSON", () => {
    const property = fc.property(fc.array(values), blanks, values, (elements, blank, other) => {
      const text = `${blank}{"a":${other},"data" :${blank}[${blank}${elements.join(`${blank},`)}${blank}]${blank},"z":${other}}`;
      const spans = findElements(Buffer.from(text), "data")!;
      const written = spans.map(([from, to]) => Buffer.from(text).subarray(from, to).toString());
      expect(written).toEqual(elements);
    });
    fc.assert(property, { seed: SEED, numRuns: 500 });
  });

  it("are none if the object has the name twice, has no array or is no object", () => {
    for (const text of ['{"data":[],"d\\u0061ta":[1]}', '{"data":{"data":[]}}', '[{"data":[]}]', '"data"', "{}"]) {
      expect(findElements(Buffer.from(text), "data")).toBeUndefined();
    }
  });

  it("can be joined again unchanged, in any order", () => {
    const property = fc.property(fc.shuffledSubarray([A, B, C]), values, (ids, other) => {
      const elements = ids.map((id) => `{"companyId":"${id}","years":[${other}],"more":${other}}`);
      const { found } = splitFinancials(envelope(elements), ids, 2023)!;
      const body = joinFinancials([...found.values()], ids.length).toString();
      expect(body).toBe(`{"data":[${elements.join(",")}],"page":1,"pageSize":${ids.length},"total":${ids.length}}`);
    });
    fc.assert(property, { seed: SEED, numRuns: 200 });
  });
});

describe("an answer for several companies", () => {
  it("is split in any order and letter case of its ids", () => {
    expect(split(envelope([element(B.toUpperCase()), element(A)]))).toEqual({ ids: [B, A], isComplete: true });
  });

  it.each(ANSWERS.lacking as [string, string, boolean][])("lacks some for good or not if %s", (_, text, isComplete) => {
    expect(split(Buffer.from(text))?.isComplete).toBe(isComplete);
  });

  it("is incomplete despite its total if most are missing", () => {
    expect(split(envelope([element(A)], 1), [A, B, C])?.isComplete).toBe(false);
  });

  it.each(ANSWERS.unsplit as [string, string][])("is not shared if it %s", (_why, text) => {
    expect(split(Buffer.from(text))).toBeUndefined();
  });

  it("is not shared if companies may come in pieces, one for each year", () => {
    const pieces = [element(A, '[{"year":2022}]'), element(B, '[{"year":2022}]')];
    expect(split(envelope(pieces, null), [A, B], "all")).toBeUndefined();
    expect(split(envelope(pieces, 2), [A, B], "all")).toEqual({ ids: [A, B], isComplete: true });
    expect(split(envelope(pieces, null), [A, B], 2022)).toEqual({ ids: [A, B], isComplete: true });
  });
});

it("the answer of a single company serves as an element if it is surely that company's", () => {
  expect(isElementOf(A, Buffer.from(element(A.toUpperCase())))).toBe(true);
  expect(isElementOf(A, Buffer.from(element(B)))).toBe(false);
  expect(isElementOf(A, Buffer.from("[]"))).toBe(false);
});
