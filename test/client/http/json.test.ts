import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { parseJson } from "../../../src/client/http/json";
import { readReply } from "../../../src/client/http/response";

/** Texts with at least so many characters have parts. */
const MOST = 12;

/** Parses a text in parts, and counts the pauses. */
async function parse(text: string) {
  let pauses = 0;
  const value = await parseJson(text, async () => void pauses++, MOST);
  return { value, pauses };
}

/** Parses a text in one part, which also quotes odd numbers. */
const parseAtOnce = (text: string) => parseJson(text, async () => {}, Number.POSITIVE_INFINITY);

const texts = () => fc.oneof(fc.string({ unit: "binary" }), fc.constantFrom('"data":[', "],", '\\"}', "\\", ","));
const { json } = fc.letrec((tie) => ({
  json: fc.oneof(
    { depthSize: "small" },
    texts(),
    fc.constantFrom(null, true, 0, -1.5, 1e300),
    fc.array(tie("json"), { maxLength: 4 }),
    fc.dictionary(fc.oneof(texts(), fc.constant("data")), tie("json"), { maxKeys: 4, noNullPrototype: true }),
  ),
}));
const field = () => fc.tuple(fc.constantFrom("page", "total", "data", "other"), json);

/** An answer with a list, with fields of any name before and after it. */
const answers = fc
  .record({
    before: fc.array(field(), { maxLength: 2 }),
    rows: fc.array(json, { maxLength: 8 }),
    after: fc.array(field(), { maxLength: 2 }),
    gap: fc.constantFrom("", " ", "\n  "),
  })
  .map(({ before, rows, after, gap }) => {
    const toField = ([name, value]: readonly [string, unknown]) =>
      `${JSON.stringify(name)}:${gap}${JSON.stringify(value)}`;
    const list = `"data"${gap}:${gap}[${rows.map((row) => JSON.stringify(row)).join(`${gap},${gap}`)}${gap}]`;
    return `${gap}{${gap}${[...before.map(toField), list, ...after.map(toField)].join(`,${gap}`)}}${gap}`;
  });

describe("a long answer", () => {
  it("reads in parts as it does at once", async () => {
    await fc.assert(
      fc.asyncProperty(answers, async (text) => {
        expect((await parse(text)).value).toEqual(await parseAtOnce(text));
      }),
      { seed: 7, numRuns: 3_000 },
    );
  });

  it("is invalid in parts where it is invalid at once", async () => {
    const change = fc.record({
      at: fc.nat(),
      length: fc.nat({ max: 2 }),
      put: fc.constantFrom("", ",", "]", "}", "["),
    });
    await fc.assert(
      fc.asyncProperty(answers, change, async (text, { at, length, put }) => {
        const place = at % text.length;
        const changed = text.slice(0, place) + put + text.slice(place + length);
        expect((await parse(changed)).value).toEqual(await parseAtOnce(changed));
      }),
      { seed: 7, numRuns: 5_000 },
    );
  });

  it("pauses before each part of its list", async () => {
    const text = JSON.stringify({ page: 1, data: Array.from({ length: 10 }, (_, at) => ({ at, name: "company" })) });
    const { value, pauses } = await parse(text);
    expect([value, pauses]).toEqual([JSON.parse(text), 11]);
  });

  it.each([
    '{"data":[1,2,3,4,5,6,7,8,9,]}',
    '{"data":[               ,1]}',
    '{"data":[1,2,3,4,5,6,7,8,9',
    '{"data":[1,2,3,4}}',
  ])("is invalid without an element beside a comma, or without its end: %s", async (text) =>
    expect((await parse(text)).value).toBeUndefined(),
  );

  it("takes the last of two lists", async () => {
    expect((await parse('{"data":[1,2,3,4,5],"data":[6]}')).value).toEqual({ data: [6] });
  });
});

describe("a short answer", () => {
  it("is parsed without a pause", async () => {
    expect(await parse('{"data":[]}')).toEqual({ value: { data: [] }, pauses: 0 });
  });
});

describe("a long body", () => {
  it("is read with a pause before so much of it has come in one task that people notice", async () => {
    const rows = Array.from({ length: 1_000 }, (_, at) => ({ at, name: "company ".repeat(100) }));
    const bytes = new TextEncoder().encode(JSON.stringify({ data: rows }));
    const inTask: number[] = [0];
    const receive = (count: number) => void inTask.push(inTask.pop()! + count);
    const pause = async () => void inTask.push(0);
    const { body } = await readReply(new Response(toStream(bytes, 65_536)), 0, [], false, receive, pause);
    expect(body).toEqual({ data: rows });
    expect(Math.max(...inTask)).toBeLessThan(500_000);
  });
});

function toStream(bytes: Uint8Array, chunk: number): ReadableStream<Uint8Array> {
  let from = 0;
  return new ReadableStream({
    pull(controller) {
      controller.enqueue(bytes.subarray(from, from + chunk));
      from += chunk;
      if (from >= bytes.length) controller.close();
    },
  });
}
