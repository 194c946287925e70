import { describe, expect, it } from "@jest/globals";
import type { Row } from "../../src/feed/decode";
import { TAXONOMY_COLUMNS, TAXONOMY_FIELDS } from "../../src/feed/field-tables";
import { toCompanyRows } from "../../src/feed/taxonomy-companies";
import { openList } from "../../src/functions/list-view";

const entry = (industryId: string) => ({ industryId, industryName: `Industry ${industryId}` });
const ROWS: readonly Row[] = [
  { companyId: "a", taxonomy: [entry("1"), entry("2")] },
  { companyId: "b", taxonomy: [entry("3")] },
];

/** The table of the first rows of a list of companies, a row per classification. */
const showPart = (headers: boolean, expected: number) =>
  openList({
    question: { key: [], load: async () => ({ rows: [], expected: 0 }) },
    rereadsOnRefresh: false,
    known: TAXONOMY_FIELDS,
    names: ["companyId", "taxonomy.industryId"],
    columns: TAXONOMY_COLUMNS,
    headers,
    empty: "none",
    toRows: (rows) => toCompanyRows(rows, true),
    dateSystem: 1900,
  }).show([
    { status: "answered", answer: { value: { rows: ROWS, expected }, isComplete: false, asOfMs: 0 }, error: null },
  ]);

describe("a part of a list", () => {
  it("expects as many rows of each company still to come as those that came have", () => {
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
