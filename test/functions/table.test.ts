import { beforeAll, describe, expect, it } from "@jest/globals";
import { FeedError } from "../../src/client/errors";
import { msg } from "../../src/client/messages";
import type { Row } from "../../src/feed/decode";
import { RANKING_FIELDS, TAXONOMY_COLUMNS, TAXONOMY_FIELDS } from "../../src/feed/field-tables";
import type { Field } from "../../src/feed/fields";
import type { List } from "../../src/feed/pages";
import { toCompanyRows } from "../../src/feed/taxonomies/companies";
import { Amount, toCell, toCells } from "../../src/functions/cells";
import type { Settled } from "../../src/functions/view-observer";
import { openList, readFields, toFieldValue, toRanked, toTable } from "../../src/functions/views/table";
import { installCustomFunctions } from "../office/custom-functions";

const show = (rows: Record<string, unknown>[], names: string[]) =>
  toTable(rows, {
    fields: readFields(names, RANKING_FIELDS, rows),
    headers: false,
  }).rows.map((row) => row.map((value) => (value instanceof Amount ? value.value : value)));

describe("a number field", () => {
  it.each([0, -1.5, null, undefined])("shows %p unchanged", (value) => {
    expect(show([{ totalPageViews: value }], ["totalPageViews"])).toEqual([[value]]);
  });

  const NO_NUMBERS = [["12345"], [""], [true], [{}], [[1]], [Number.POSITIVE_INFINITY], [Number.NaN]];
  it.each<unknown[]>(NO_NUMBERS)("shows %p as an error in its own cell, with the column's header", (value) => {
    const [row] = show([{ companyName: "A", engagementTime: { avg: value } }], ["companyName", "engagementTime.avg"]);
    const sentence = '"Engagement avg (minutes)" is no number in the provider\'s answer; report it to the provider';
    expect(row).toEqual(["A", new FeedError("FEED_RESPONSE_MALFORMED", sentence)]);
    expect(row?.[1]).toMatchObject({ code: "FEED_RESPONSE_MALFORMED" });
  });
});

describe("a field", () => {
  it("of another kind shows any value of the answer", () => {
    expect(show([{ companyName: 7, other: "8" }], ["companyName", "other"])).toEqual([[7, "8"]]);
  });

  it("is unknown: its error names the closest", () => {
    expect(() => show([{}], ["totalPageView"])).toThrow(
      'there is no field "totalPageView"; the closest is "totalPageViews"',
    );
  });
});

const toFormatted = (basicValue: number, numberFormat: string) => ({
  type: "FormattedNumber",
  basicValue,
  numberFormat,
});

describe("a table's numbers", () => {
  beforeAll(installCustomFunctions);
  const FORMATS = { formats: true, properties: false, dateSystem: 1900 } as const;
  const names = ["rank", "totalPageViews", "engagementTime.avg"];
  const layOut = (count: number, expected = count) => {
    const rows = Array.from({ length: count }, () => ({
      rank: 1,
      totalPageViews: 12345,
      engagementTime: { avg: 2.5 },
    }));
    const table = toTable(rows, { fields: readFields(names, RANKING_FIELDS, rows), headers: true });
    return toCells({ ...table, expected }, FORMATS) as unknown[][];
  };
  const formatted = [1, toFormatted(12345, "#,##0"), toFormatted(2.5, "#,##0.0")];
  const plain = [1, 12345, 2.5];

  it("have the format of their column in every row, however many a refresh brings", () => {
    expect(layOut(1).slice(1)).toEqual([formatted]);
    expect(layOut(40).slice(1)).toEqual(Array(40).fill(formatted));
  });

  it("have none in a table of more than 10,000 cells, which is foretold by its first rows", () => {
    expect(layOut(3332)[3332]).toEqual(formatted);
    expect(layOut(3333)[3333]).toEqual(plain);
    expect(layOut(10, 5000)[10]).toEqual(plain);
  });

  it("have none alone: a single cell has its own", () => {
    const rows = [{ totalPageViews: 12345 }];
    const table = toTable(rows, { fields: readFields(["totalPageViews"], RANKING_FIELDS, rows), headers: false });
    expect(toCells(table, FORMATS)).toEqual([[12345]]);
  });
});

describe("a day or date-time field", () => {
  const day = { name: "d", header: "Day", kind: "day" } as const;
  const moment = { name: "m", header: "Moment", kind: "moment" } as const;

  it("is a serial of the workbook's date system, and the provider's text if that is impossible", () => {
    const show = (text: string, field: Field, dateSystem: 1900 | 1904 = 1900) =>
      toCell(toFieldValue(text, field), { formats: true, properties: false, dateSystem });
    expect(show("1902-03-04", day)).toEqual(toFormatted(794, "yyyy-mm-dd"));
    expect(show("1902-03-04", day, 1904)).toBe("1902-03-04");
    expect(show("n/a", day)).toBe("n/a");
    expect(show("2024-01-31T06:00:00.123Z", moment)).toEqual(toFormatted(45_322.25, "yyyy-mm-dd hh:mm"));
    expect(show("2024-01-31T06:00:00+09:00", moment)).toBe("2024-01-31T06:00:00+09:00");
  });

  it.each([981_158_400_000, true, {}])("shows %p as an error in its own cell", (value) => {
    expect(toFieldValue(value, day)).toMatchObject({
      code: "FEED_RESPONSE_MALFORMED",
      message: expect.stringMatching(/^"Day" is no date/),
    });
  });
});

const entry = (industryId: string) => ({ industryId, industryName: `Industry ${industryId}` });
const ROWS: readonly Row[] = [
  { companyId: "a", taxonomy: [entry("1"), entry("2")] },
  { companyId: "b", taxonomy: [entry("3")] },
];

const toSettled = (value: List): Settled => ({
  status: "answered",
  answer: { value, asOfMs: 0, requests: [], persisted: null },
  error: null,
});

const PLAIN = { rereadsOnRefresh: false, headers: false } as const;

/** A list with a row per classification. */
const openRows = (headers: boolean) =>
  openList({
    ...PLAIN,
    query: { key: [], load: async () => ({ rows: [], expected: 0 }) },
    known: TAXONOMY_FIELDS,
    names: ["companyId", "taxonomy.industryId"],
    columns: TAXONOMY_COLUMNS,
    headers,
    empty: msg`none`,
    toRows: (rows) => toCompanyRows(rows, true),
  });

/** The table that its first rows foretell. */
const foretell = (headers: boolean, expected: number) => openRows(headers).foretell?.({ rows: ROWS, expected });

it("a list foretells its size whenever its rows have doubled", () => {
  const view = openRows(false);
  const looks = [0, 1, 1, 2, 3, 4, 5].map((count) => {
    const rows = Array.from({ length: count }, (_, at) => ({ companyId: `c${at}`, taxonomy: [] }));
    return view.foretell?.({ rows, expected: 100 }) != null;
  });
  expect(looks).toEqual([false, true, false, true, false, true, false]);
});

it("a list's first rows foretell how many rows its companies will have", () => {
  expect(foretell(false, 1_000)).toMatchObject({ expected: 1_500 });
  expect(foretell(true, 1_000)).toMatchObject({ expected: 1_501 });
  expect(foretell(false, 2)).toMatchObject({
    rows: [
      ["a", "1"],
      ["a", "2"],
      ["b", "3"],
    ],
    expected: 3,
  });
});

describe("a list sorted by a measure", () => {
  const list: List = {
    rows: [
      { companyName: "a", totalPageViews: 9, bounces: 1 },
      { companyName: "b", totalPageViews: 5, bounces: 7 },
    ],
    expected: 2,
  };
  const showBy = (by: string) =>
    openList({
      ...PLAIN,
      query: { key: [], load: async () => list },
      known: RANKING_FIELDS,
      names: ["companyName"],
      columns: [],
      toRows: (rows) => toRanked(rows, ""),
      sort: { by, top: "all" },
    }).show([toSettled(list)])?.rows;

  it("accepts a measure that only the answer has", () => {
    expect(showBy("bounces")).toEqual([["b"], ["a"]]);
    expect(showBy("total page views")).toEqual([["a"], ["b"]]);
  });

  it("refuses the rank or a text field, and names the closest measure", () => {
    expect(() => showBy("rank")).toThrow(/^by must be a measure .*; the closest to "rank" is "[a-zA-Z.]+"$/);
    expect(() => showBy("companyName")).toThrow(
      /^by must be a measure such as "totalPageViews"; the closest to "companyName" is "/,
    );
  });
});
