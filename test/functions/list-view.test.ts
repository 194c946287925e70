import { describe, expect, it } from "@jest/globals";
import { msg } from "../../src/client/messages";
import type { Row } from "../../src/feed/decode";
import { RANKING_FIELDS, TAXONOMY_COLUMNS, TAXONOMY_FIELDS } from "../../src/feed/field-tables";
import type { List } from "../../src/feed/pages";
import { toCompanyRows } from "../../src/feed/taxonomies/companies";
import { openList, toRanked } from "../../src/functions/views/table";

const entry = (industryId: string) => ({ industryId, industryName: `Industry ${industryId}` });
const ROWS: readonly Row[] = [
  { companyId: "a", taxonomy: [entry("1"), entry("2")] },
  { companyId: "b", taxonomy: [entry("3")] },
];

/** The table of a list's first rows, a row per classification. */
const showPart = (headers: boolean, expected: number) =>
  openList({
    query: { key: [], load: async () => ({ rows: [], expected: 0 }) },
    rereadsOnRefresh: false,
    known: TAXONOMY_FIELDS,
    names: ["companyId", "taxonomy.industryId"],
    columns: TAXONOMY_COLUMNS,
    headers,
    empty: msg`none`,
    toRows: (rows) => toCompanyRows(rows, true),
    dateSystem: 1900,
  }).show([
    {
      status: "answered",
      answer: { value: { rows: ROWS, expected }, isComplete: false, asOfMs: 0, requests: [], persisted: null },
      error: null,
    },
  ]);

describe("a partial list", () => {
  it("estimates the rows of companies still to come from those already here", () => {
    expect(showPart(false, 1_000)).toMatchObject({ expected: 1_500 });
    expect(showPart(true, 1_000)).toMatchObject({ expected: 1_501 });
    expect(showPart(false, 2)).toMatchObject({
      rows: [
        ["a", "1"],
        ["a", "2"],
        ["b", "3"],
      ],
      expected: 3,
    });
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
      query: { key: [], load: async () => list },
      rereadsOnRefresh: false,
      known: RANKING_FIELDS,
      names: ["companyName"],
      columns: [],
      headers: false,
      toRows: toRanked,
      sort: { by, top: "all" },
      dateSystem: 1900,
    }).show([
      {
        status: "answered",
        answer: { value: list, isComplete: true, asOfMs: 0, requests: [], persisted: null },
        error: null,
      },
    ])?.rows;

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
