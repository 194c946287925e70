import { describe, expect, it } from "@jest/globals";
import type { Alert, AlertRule } from "../../../src/taskpane/alerts/alert";
import { judge, toJudgedFields, withAlerts } from "../../../src/taskpane/alerts/judge";

const FORMER = { first: "2024-03-11", last: "2024-03-17" };
const WEEK = { first: "2024-03-18", last: "2024-03-24" };
const NEXT_WEEK = { first: "2024-03-25", last: "2024-03-31" };
const NEXT_DAY = { first: "2024-03-19", last: "2024-03-25" };

/** A row by its fields; what is left out is blank. */
const toRow = (fields: Readonly<Record<string, unknown>>) =>
  toJudgedFields("companyName", "tickerSymbol").map((field) => fields[field] ?? "");

const AOBA = { companyName: "Aoba", tickerSymbol: "1001" };

const SHEET = { sheet: "s1", sheetName: "Movers", ranking: "companies", within: 100, period: WEEK, former: FORMER };

interface Judged extends Partial<typeof SHEET> {
  known?: readonly Alert[];
}

const judgeAll = (fields: Readonly<Record<string, unknown>>, rule: AlertRule, { known = [], ...judged }: Judged = {}) =>
  judge([toRow({ ...AOBA, ...fields })], { ...SHEET, rules: [rule], ...judged }, known);

const judgeOne = (...given: Parameters<typeof judgeAll>): Alert[] => judgeAll(...given).found;

const ENTERS = { kind: "enters", amount: 50 } as const;
const GROWS = { kind: "grows", amount: 30 } as const;
const FALLS = { kind: "falls", amount: 10 } as const;

describe("a rule", () => {
  it.each<[string, object, AlertRule, object | null]>([
    ["enters from below", { rank: 50, "previous.rank": 51 }, ENTERS, { before: 51, after: 50 }],
    ["was in already", { rank: 3, "previous.rank": 50 }, ENTERS, null],
    ["enters as new", { rank: 50, status: "new" }, ENTERS, { before: null, after: 50 }],
    ["has an uncertain past", { rank: 50, "previous.rank": { code: "#VALUE!" } }, ENTERS, null],
    ["stays below", { rank: 51, "previous.rank": 90 }, ENTERS, null],
    [
      "grows by 30 %",
      { rank: 9, totalPageViews: 130, "previous.totalPageViews": 100 },
      GROWS,
      { before: 100, after: 130 },
    ],
    ["grows by less", { rank: 9, totalPageViews: 129, "previous.totalPageViews": 100 }, GROWS, null],
    [
      "grows far below the sheet's rows",
      { rank: 900, "previous.rank": 950, totalPageViews: 400, "previous.totalPageViews": 100 },
      GROWS,
      null,
    ],
    ["grows from nothing", { rank: 9, totalPageViews: 9, "previous.totalPageViews": 0 }, GROWS, null],
    ["falls by ten places", { rank: 60, "previous.rank": 50 }, FALLS, { before: 50, after: 60 }],
    ["falls by nine", { rank: 59, "previous.rank": 50 }, FALLS, null],
    ["falls out of the sheet's rows", { rank: 800, "previous.rank": 100 }, FALLS, { before: 100, after: 800 }],
    ["is gone", { "previous.rank": 7, status: "gone" }, FALLS, { before: 7, after: null }],
    ["rises", { rank: 1, "previous.rank": 50 }, FALLS, null],
  ])("judges what %s", (_, fields, rule, expected) => {
    const alerts = judgeOne(fields as never, rule);
    expect(alerts).toEqual(
      expected === null
        ? []
        : [
            {
              ...rule,
              ...WEEK,
              ...expected,
              sheet: "s1",
              sheetName: "Movers",
              name: "Aoba",
              code: "1001",
              ranking: "companies",
              former: FORMER,
              isRead: false,
              isOver: false,
            },
          ],
    );
  });

  it("raises one alert for a change, though it was read and the window moves on by days", () => {
    const row = { rank: 50, "previous.rank": 70 };
    const [first] = judgeOne(row, ENTERS);
    const known = [{ ...(first as Alert), isRead: true }];
    expect(judgeOne(row, ENTERS, { known })).toEqual([]);
    expect(judgeOne(row, ENTERS, { known, period: NEXT_DAY })).toEqual([]);
    expect(judgeOne(row, ENTERS, { known, period: NEXT_WEEK })).toHaveLength(1);
  });

  it("raises an alert again for a company that has left and come back, in place of the first one", () => {
    const [known, inside, outside] = [judgeOne({ rank: 50, "previous.rank": 70 }, ENTERS), { rank: 50 }, { rank: 51 }];
    const left = judgeAll({ ...outside, "previous.rank": 70 }, ENTERS, { known, period: NEXT_DAY });
    expect(left.found).toEqual([]);
    const after = withAlerts(known, left);
    expect(after).toEqual([{ ...(known[0] as Alert), isOver: true }]);
    const again = judgeAll({ ...inside, "previous.rank": 70 }, ENTERS, { known: after, period: NEXT_DAY });
    expect(again.found).toHaveLength(1);
    expect(withAlerts(after, again)).toEqual(again.found);
    expect(judgeOne({ ...inside, "previous.rank": 70 }, ENTERS, { known: again.found, period: NEXT_DAY })).toEqual([]);
  });

  it.each([
    ["an uncertain rank", { rank: { code: "#VALUE!" } }, {}],
    ["other days", { rank: 90, "previous.rank": 95 }, { period: NEXT_WEEK }],
    ["another ranking", { rank: 90, "previous.rank": 95 }, { ranking: "news" }],
    ["another sheet", { rank: 90, "previous.rank": 95 }, { sheet: "s2" }],
  ])("takes %s for no leaving", (_, fields, judged) => {
    const known = judgeOne({ rank: 50, "previous.rank": 70 }, ENTERS);
    expect(judgeAll(fields, ENTERS, { known, ...judged }).over.size).toBe(0);
  });

  it("raises an alert of its own for another ranking of the sheet, or other days that are compared", () => {
    const row = { rank: 20, "previous.rank": 70 };
    const known = judgeOne(row, ENTERS);
    expect(judgeOne(row, ENTERS, { known, ranking: "news" })).toHaveLength(1);
    const former = { first: "2023-03-13", last: "2023-03-19" };
    expect(judgeOne(row, ENTERS, { known, former })).toHaveLength(1);
  });

  it("raises its own alert for another amount, company or sheet", () => {
    const row = { rank: 20, "previous.rank": 70 };
    const known = judgeOne(row, ENTERS);
    expect(judgeOne(row, { ...ENTERS, amount: 25 }, { known })).toHaveLength(1);
    expect(judgeOne({ ...row, tickerSymbol: "1002" }, ENTERS, { known })).toHaveLength(1);
    expect(judgeOne(row, ENTERS, { known: known.map((each) => ({ ...each, sheet: "s2" })) })).toHaveLength(1);
  });
});

it("a workbook's alerts are at most 500: the oldest that were read give way first", () => {
  const [alert] = judgeOne({ rank: 50, "previous.rank": 51 }, ENTERS);
  const known = Array.from({ length: 500 }, (_, index) => ({
    ...(alert as Alert),
    code: String(index),
    isRead: index === 3 || index === 300,
  }));
  const kept = withAlerts(known, { found: [{ ...(alert as Alert), code: "new" }], over: new Set() });
  expect(kept).toHaveLength(500);
  expect(kept[0]?.code).toBe("new");
  expect(kept.some(({ code }) => code === "300")).toBe(false);
  expect(kept.filter(({ code }) => ["3", "499"].includes(code))).toHaveLength(2);
});
