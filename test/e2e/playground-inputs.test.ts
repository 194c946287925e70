import { afterAll, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import type { Browser, Page } from "playwright-core";
import { launchBrowser } from "../support/browser";
import { type RunningCompanion, startCompanion } from "../support/companion";
import { clearWorkbook, openPlayground, read, readRange, readSettled, type } from "./playground-page";

const COMPANY = '"3d1ce6e7-7fd1-463c-ab13-8646d111213d"';
/** A cell that stays blank. */
const BLANK = "Z9";

let browser: Browser;
let companion: RunningCompanion;
let page: Page;

beforeAll(async () => {
  [browser, companion] = await Promise.all([launchBrowser(), startCompanion()]);
  page = (await openPlayground(browser, `${companion.origin}/playground.html`)).page;
});
afterAll(async () => {
  await browser?.close();
  await companion?.close();
});

/** The error of a formula in A1; its ranges are in D to F. */
async function readRefusal(formula: string): Promise<string> {
  await type(page, ["A1", formula]);
  const { value, error } = await readSettled(page, "A1");
  return `${value} ${error?.message ?? "and no error"}`;
}

describe("a formula that cannot be answered", () => {
  beforeEach(async () => {
    await clearWorkbook(page);
    await type(page, ["D1", "one"], ["D2", "two"], ["D3", "three"], ["E1", "2023"], ["E2", "2024"]);
  });

  it.each([
    [
      "an unknown company id",
      `FINANCIAL("00000000-0000-4000-8000-000000000000",2023,"Revenue")`,
      "#N/A",
      "NOT_FOUND",
      /No company has the id/,
    ],
    [
      "an unknown registration number",
      `FINANCIAL("9999999999999",2023,"Revenue")`,
      "#N/A",
      "NOT_FOUND",
      /"9999999999999"; check the number/,
    ],
    [
      "an unknown year",
      `FINANCIAL(${COMPANY},1901,"Revenue")`,
      "#N/A",
      "NO_VALUE",
      /no fiscal year 1901; ask for (one of 2015,|another one)/,
    ],
    [
      "an unknown metric",
      `FINANCIAL(${COMPANY},2023,"Turnover")`,
      "#N/A",
      "NO_VALUE",
      /"Turnover" in 2023; ask for one of Revenue,/,
    ],
    [
      "an unknown basis",
      `FINANCIAL(${COMPANY},2023,"Revenue","ODD")`,
      "#N/A",
      "NO_VALUE",
      /basis "ODD"; give one of CONSOLIDATED/,
    ],
    [
      "an unknown unit",
      `FINANCIAL(${COMPANY},2023,"Revenue",,"dozen")`,
      "#VALUE!",
      "ARGUMENT_INVALID",
      /unit must be .* not "dozen"/,
    ],
    [
      "years in the wrong order",
      `FINANCIAL(${COMPANY},"2023:2019","Revenue")`,
      "#VALUE!",
      "ARGUMENT_INVALID",
      /the earlier first/,
    ],
    [
      "text for a year",
      `FINANCIAL(${COMPANY},"last year","Revenue")`,
      "#VALUE!",
      "ARGUMENT_INVALID",
      /year must be like 2023,/,
    ],
    [
      "a year where the metric belongs",
      `FINANCIAL(${COMPANY},"Revenue",2023)`,
      "#VALUE!",
      "ARGUMENT_INVALID",
      /year and metric look swapped/,
    ],
    [
      "ranges that do not fit together",
      "FINANCIAL(D1:D3,2023,E1:E2)",
      "#VALUE!",
      "ARGUMENT_INVALID",
      /in rows: company 3, metric 2; give ranges of the same number of rows/,
    ],
    [
      "an end before its start",
      `RANKING("2024-01-31","2024-01-01")`,
      "#VALUE!",
      "ARGUMENT_INVALID",
      /start is after end: .*; exchange them/,
    ],
    ["text for a date", `RANKING("soon")`, "#VALUE!", "ARGUMENT_INVALID", /start must be a date such as/],
    [
      "a date with a time zone",
      `RANKING("2024-01-01T00:00:00+09:00","2024-01-02")`,
      "#VALUE!",
      "ARGUMENT_INVALID",
      /write "2024-01-01T00:00:00"/,
    ],
    ["fewer rows than one", `RANKING("2024-01",,-3)`, "#VALUE!", "ARGUMENT_INVALID", /whole number from 1, or "all"/],
    [
      "an unknown field",
      `RANKING("2024-01",,3,"companyNam")`,
      "#VALUE!",
      "ARGUMENT_INVALID",
      /the closest is "companyName"/,
    ],
    [
      "an order by text",
      `RANKING("2024-01",,3,,"companyName")`,
      "#VALUE!",
      "ARGUMENT_INVALID",
      /a measure such as "totalPageViews"/,
    ],
    [
      "neither TRUE nor FALSE",
      `RANKING("2024-01",,3,,,"maybe")`,
      "#VALUE!",
      "ARGUMENT_INVALID",
      /TRUE or FALSE, not "maybe"/,
    ],
  ])("shows the reason and the remedy: %s", async (_what, formula, value, code, sentence) => {
    const refusal = await readRefusal(`=FEED.${formula}`);
    expect(refusal).toMatch(new RegExp(`^${value} FEED_${code}: .{10,}`));
    expect(refusal).toMatch(sentence);
  });

  it("affects only its own cell of a grid: an error, a blank and an invalid id in the range", async () => {
    await type(page, ["D1", COMPANY.slice(1, -1)], ["D2", "=1/0"], ["D3", "nobody"], ["D5", COMPANY.slice(1, -1)]);
    await type(page, ["A1", '=FEED.FINANCIAL(D1:D5,2023,"Revenue")']);
    const first = await readSettled(page, "A1");
    expect(typeof first.value).toBe("number");
    expect((await readRange(page, "A1:A5")).flat()).toEqual([first.value, "#DIV/0!", "#N/A", "", first.value]);
    expect((await read(page, "A3")).error?.message).toContain("FEED_NO_VALUE");
  });
});

describe.each(["zero", "null"] as const)("a referenced blank cell that arrives as %s", (arrival) => {
  beforeEach(() => clearWorkbook(page, arrival));

  it.each([
    ["company", `FINANCIAL(${BLANK},2023,"Revenue")`],
    ["year", `FINANCIAL(${COMPANY},${BLANK},"Revenue")`],
    ["metric", `FINANCIAL(${COMPANY},2023,${BLANK})`],
    ["start", `RANKING(${BLANK},"2024-01-31",1)`],
    ["end", `RANKING("2024-01-01",${BLANK},1)`],
  ])("is refused as %s, which is required", async (name, formula) => {
    expect(await readRefusal(`=FEED.${formula}`)).toMatch(
      new RegExp(`^#VALUE! FEED_ARGUMENT_INVALID: ${name} is missing; give`),
    );
  });

  it.each([
    ["basis", `FINANCIAL(${COMPANY},2023,"Revenue",${BLANK})`, `FINANCIAL(${COMPANY},2023,"Revenue")`],
    ["unit", `FINANCIAL(${COMPANY},2023,"Revenue",,${BLANK})`, `FINANCIAL(${COMPANY},2023,"Revenue")`],
    ["end", `RANKING("2024-01",${BLANK},3)`, `RANKING("2024-01-01","2024-01-31",3)`],
    ["top", `RANKING("2024-01",,${BLANK})`, `RANKING("2024-01",,100)`],
    ["fields", `RANKING("2024-01",,3,${BLANK})`, `RANKING("2024-01",,3)`],
    ["by", `RANKING("2024-01",,3,,${BLANK})`, `RANKING("2024-01",,3)`],
  ])("counts as omitted for %s", async (_name, formula, same) => {
    await type(page, ["A1", `=FEED.${formula}`], ["K1", `=FEED.${same}`]);
    const shown = [await readSettled(page, "A1"), await readSettled(page, "K1")];
    expect(shown[0]!.error).toBeUndefined();
    expect(await readRange(page, "A1:I120")).toEqual(await readRange(page, "K1:S120"));
  });
});

it("explains an error in Japanese in a Japanese playground", async () => {
  const { page: japanese } = await openPlayground(browser, `${companion.origin}/playground.html?lang=ja`);
  await clearWorkbook(japanese);
  await type(japanese, ["A1", `=FEED.FINANCIAL(${COMPANY},1901,"Revenue")`]);
  await japanese.waitForFunction(() =>
    window.playground.get("A1").error?.message?.includes("会計年度 1901 はありません"),
  );
  await japanese.close();
});
