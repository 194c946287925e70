import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import type { CompanyRankingPage } from "../../src/contract/types";
import type { Answering } from "../support/http-server";
import { createTestBed, type Page, type TestBed } from "./test-bed";

const RANKING = "/japan/ranking/v1/companies";
const RANGE = ["2024-01-01", "2024-01-31"] as const;

let testBed: TestBed;
let page: Page;

beforeAll(async () => {
  testBed = await createTestBed({ companies: 50 });
});
beforeEach(async () => {
  testBed.provider.controls.reset();
  testBed.faultProxy.reset();
  page = await testBed.open();
});
afterEach(() => page.close());
afterAll(() => testBed.close());

const countRequests = () => testBed.faultProxy.requests.filter(({ path }) => path === RANKING).length;

/** The final cells of a ranking. */
async function showRanking(top: number | "all", fields: string, name = "RANKING"): Promise<unknown[][]> {
  const cell =
    name === "RANKING"
      ? page.formulas.type(name, ...RANGE, top, [[fields]], null, false)
      : page.formulas.type(name, ...RANGE, null, top, [[fields]], false);
  await page.rest();
  return cell.shown.at(-1) ?? [];
}

const answerRanking = (answering: Answering) => {
  testBed.faultProxy.answer = ({ path }) => (path === RANKING ? answering : undefined);
};

describe("an error's body", () => {
  const details = [{ field: "start_datetime", issue: "must not be in the future" }];
  const ranking = { code: "INVALID_REQUEST", message: "The range is invalid", details, traceId: "t-1" };

  it("of the rankings' shape is shown with its details", async () => {
    answerRanking({ status: 400, json: { error: ranking } });
    expect(await showRanking(5, "companyName")).toEqual([
      [
        "#VALUE! FEED_REQUEST_INVALID: the provider refused the request with 400 (The range is invalid; start_datetime: must not be in the future); correct what it names",
      ],
    ]);
  });

  it.each<[string, Answering]>([
    ["of another shape", { json: { title: "Too far back" } }],
    ["that is HTML", { headers: { "content-type": "text/html" }, text: "<h1>Oops <script>x()</script></h1>" }],
    ["that is empty", { text: "" }],
    ["that is a list", { json: [1, 2] }],
  ])("%s is replaced by the status", async (_, answering) => {
    answerRanking({ ...answering, status: 400 });
    const [[shown]] = (await showRanking(5, "companyName")) as [[string]];
    expect(shown).toMatch(/^#VALUE! FEED_REQUEST_INVALID: the provider refused the request with 400/);
    expect(shown).not.toMatch(/[<>]|script/);
    answerRanking({ ...answering, status: 404 });
    expect((await showRanking(6, "companyName"))[0]?.[0]).toMatch(/^#N\/A FEED_NOT_FOUND: /);
  });
});

describe("an answer that is too large", () => {
  it("of 50 MB is reported, requested once, and the page survives", async () => {
    answerRanking({
      raw: (response) => {
        response.writeHead(200, { "content-type": "application/json" });
        response.end(Buffer.alloc(51_000_000, " "));
      },
    });
    expect(await showRanking(5, "companyName")).toEqual([
      ["#VALUE! FEED_RESULT_TOO_LARGE: the provider's answer is above 50 MB; ask for fewer rows"],
    ]);
    expect(countRequests()).toBe(1);
    testBed.faultProxy.reset();
    expect(await showRanking(3, "companyName")).toHaveLength(3);
  });

  it("of 100,000 rows is reported after its first pages, and the page survives", async () => {
    const { data } = await testBed.read<CompanyRankingPage>(
      `${RANKING}?start_datetime=2024-01-01T00:00:00&end_datetime=2024-01-31T23:59:59&page_size=1`,
    );
    const [row] = data;
    testBed.faultProxy.answer = ({ path, query }) => {
      if (path !== RANKING || query.get("page_size") === "3") return undefined;
      const from = (Number(query.get("page")) - 1) * 1000;
      const rows = Array.from({ length: 1000 }, (_, at) => ({ ...row, companyName: `Company ${from + at}` }));
      return { json: { data: rows, page: Number(query.get("page")), pageSize: 1000, total: 100_000 } };
    };
    expect(await showRanking("all", "companyName,totalPageViews")).toEqual([
      [
        expect.stringMatching(
          /^#VALUE! FEED_RESULT_TOO_LARGE: 100000 rows would be .* MB, above what a formula can show/,
        ),
      ],
    ]);
    expect(countRequests()).toBeLessThanOrEqual(2);
    expect(await showRanking(3, "companyName")).toHaveLength(3);
  });

  it("of 100,000 unrequested rows at once yields the requested ones", async () => {
    const rows = Array.from({ length: 100_000 }, (_, at) => ({ companyName: `Company ${at}` }));
    answerRanking({ json: { data: rows, page: 1, pageSize: 100_000, total: 100_000 } });
    expect(await showRanking(3, "companyName")).toEqual([["Company 0"], ["Company 1"], ["Company 2"]]);
  });
});

describe("a hostile name", () => {
  const NAMES = [
    '=HYPERLINK("https://hostile.example","Open me")',
    "+1 Ventures",
    "-2+3 Partners",
    "@cmd|' /C calc'!A0",
    '<img src="x" onerror="alert(1)">',
    "\u202eetal ssenisub\u202c Trading",
  ];
  const nameThem = (names: readonly string[]) => {
    testBed.faultProxy.change = (body) => {
      const { data, ...rest } = body as CompanyRankingPage;
      return { ...rest, data: data.map((row, at) => ({ ...row, companyName: names[at] ?? row.companyName })) };
    };
  };

  it("is shown as text: formula, sum, command, markup, right-to-left marks", async () => {
    nameThem(NAMES);
    expect((await showRanking(NAMES.length, "companyName")).flat()).toEqual(NAMES);
  });

  it("loses characters that no workbook can hold, such as NUL", async () => {
    nameThem(["Nul\u0000Byte \u0007Works\uffff"]);
    expect(await showRanking(1, "companyName")).toEqual([["NulByte Works"]]);
  });

  it("of 40,000 characters is truncated at a cell's length, not inside a character", async () => {
    nameThem(["x".repeat(40_000), `${"x".repeat(32_766)}😀`]);
    expect((await showRanking(2, "companyName")).flat()).toEqual(["x".repeat(32_767), "x".repeat(32_766)]);
  });
});

describe("a missing value of a ranking", () => {
  it("is an empty cell: engagement times that are null, whole or in part", async () => {
    testBed.faultProxy.change = (body) => {
      const { data, ...rest } = body as CompanyRankingPage;
      const [first, second] = data;
      return {
        ...rest,
        data: [
          { ...first, engagementTime: null },
          { ...second, engagementTime: { avg: 2, min: null } },
        ],
      };
    };
    const fields = "engagementTime.avg,engagementTime.min,engagementTime.max";
    expect(await showRanking(2, fields)).toEqual([
      ["", "", ""],
      [2, "", ""],
    ]);
  });

  it("is 0 for a null page type, and an empty cell for a missing one", async () => {
    testBed.faultProxy.change = (body) => {
      const { data, ...rest } = body as { data: { pages: object }[] };
      return { ...rest, data: data.map((row) => ({ ...row, pages: { NEWS: null } })) };
    };
    expect(await showRanking(1, "pages.NEWS.totalPageViews,pages.MA.totalPageViews", "RANKING.PAGES")).toEqual([
      [0, ""],
    ]);
  });
});
