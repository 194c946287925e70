import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { annualOf, halfOf, startYearsProvider, toNumber, type YearsProvider } from "./years-provider";

const DAY = "2023-11-30";
const idOf = (at: number) => `${String(at).padStart(8, "0")}-0000-4000-8000-000000000000`;
const toColumn = (count: number, from = 0) => Array.from({ length: count }, (_, at) => [idOf(from + at)]);
const repeat = (count: number, method: string) => Array<string>(count).fill(method);

let provider: YearsProvider;
afterEach(() => provider.close());

/** A provider of 60 companies whose Revenue of 2023 identifies the company. */
async function start(isPostBare: boolean | ((companyId: string) => boolean), requestLimit = 200): Promise<void> {
  provider = await startYearsProvider({ settings: { requestLimit } });
  provider.isPostBare = typeof isPostBare === "boolean" ? () => isPostBare : isPostBare;
  for (let at = 0; at < 60; at++) {
    provider.years.set(idOf(at), [annualOf(2022, { Revenue: -at - 1 }), annualOf(2023, { Revenue: at })]);
  }
}

const showDay = async (count: number, from = 0) =>
  (await provider.show("FINANCIAL", toColumn(count, from), [[DAY]], [["Revenue"]])).flat();
const listNumbers = (count: number, from = 0) => Array.from({ length: count }, (_, at) => from + at);
const readCost = (count: number, from = 0) => {
  const { financials, toCost } = provider.formulas.session.feed;
  return toCost(
    toColumn(count, from).map(([companyId = ""]) => financials.query({ companyId }, { withPeriods: true })),
  );
};
const CONFIRM = expect.stringMatching(/^#N\/A FEED_CONFIRM_NEEDED: this takes about \d+ requests/);

describe("a date as year", () => {
  it("is counted beforehand by its maximum, and sent once that is confirmed", async () => {
    await start(true, 20);
    expect(readCost(1)).toEqual({ requests: 1, now: 1, isLeast: false });
    expect(readCost(30)).toEqual({ requests: 32, now: 32, isLeast: false, isMost: true });
    expect(await showDay(30)).toEqual(Array(30).fill(CONFIRM));
    expect(provider.methods()).toEqual([]);
    const { confirmation } = provider.formulas.session;
    expect(confirmation.waiting()).toMatchObject({ reason: "requests", requests: 32 });
    confirmation.confirm();
    await provider.rest();
    expect(provider.methods().sort()).toEqual([...repeat(30, "GET"), ...repeat(2, "POST")]);
  });

  it("is counted by earlier POST answers: no second request if they had bounds, perhaps one if not", async () => {
    await start(false, 3);
    expect(await showDay(2)).toEqual([0, 1]);
    expect(readCost(50)).toEqual({ requests: 2, now: 2, isLeast: false });
    expect(await showDay(40, 10)).toEqual(listNumbers(40, 10));
    expect(provider.methods()).toEqual(repeat(3, "POST"));
    provider.isPostBare = (companyId) => companyId === idOf(55);
    expect(await showDay(2, 54)).toEqual([54, 55]);
    expect(readCost(4, 2)).toEqual({ requests: 5, now: 5, isLeast: false, isMost: true });
  });

  it("asks for confirmation before an unexpected second request exceeds the limit", async () => {
    await start(false, 3);
    await showDay(2);
    provider.isPostBare = () => true;
    const shown = await showDay(10, 10);
    const sent = provider.methods().filter((method) => method === "GET");
    expect(sent).toHaveLength(2);
    expect(shown.filter((value) => typeof value === "number")).toHaveLength(2);
    expect(shown.filter((value) => typeof value !== "number")).toEqual(Array(8).fill(CONFIRM));
  });

  it.each([
    [false, ["POST", "POST"]],
    [true, ["GET", "GET", "POST", "POST"]],
  ])(
    "of registration numbers takes their resolution, and one more for each without bounds: %s",
    async (isBare, sent) => {
      await start(isBare);
      const { financials, toCost } = provider.formulas.session.feed;
      const numbers = toColumn(2).map(([companyId = ""]) => toNumber(companyId));
      const queries = numbers.map((registrationNumber) =>
        financials.query({ registrationNumber }, { withPeriods: true }),
      );
      expect(toCost(queries)).toEqual({ requests: 4, now: 4, isLeast: true, isMost: true });
      const column = numbers.map((number) => [number]);
      expect(await provider.show("FINANCIAL", column, [[DAY]], [["Revenue"]])).toEqual([[0], [1]]);
      expect(provider.methods().sort()).toEqual(sent);
    },
  );

  it("forgets the lessons about POST when the client changes", async () => {
    await start(false);
    await showDay(2);
    expect(readCost(25).requests).toBe(1);
    provider.formulas.session.feed.reset();
    expect(readCost(25).requests).toBe(26);
  });

  it("is #VALUE! if no answer has bounds, and each company is fetched alone once", async () => {
    await start(true);
    const bare = { financialPeriodStart: null, financialPeriodEnd: null };
    for (let at = 0; at < 3; at++) provider.years.set(idOf(at), [annualOf(2023, { Revenue: 1 }, bare)]);
    const errorText =
      "#VALUE! FEED_ARGUMENT_INVALID: the provider does not say when its fiscal years end, so 2023-11-30 names none; give a year";
    expect(await showDay(3)).toEqual(Array(3).fill(errorText));
    expect(provider.methods().sort()).toEqual([...repeat(3, "GET"), "POST"]);
  });
});

describe("a year with interim figures", () => {
  const [A, B] = ["aaaaaaaa-0000-4000-8000-000000000000", "bbbbbbbb-0000-4000-8000-000000000000"];
  const toError = (text: string) => `#N/A FEED_NO_VALUE: ${text}`;
  beforeEach(async () => {
    provider = await startYearsProvider();
  });

  it("is #N/A with the basis to use among other companies too, which are requested without the year", async () => {
    provider.years.set(A, [halfOf(2024, 2, { Revenue: 60, EBITDA: 7 }), annualOf(2024, { Revenue: 100 })]);
    provider.years.set(B, [annualOf(2023, { EBITDA: 5 }), annualOf(2024, { EBITDA: 6 })]);
    expect(await provider.show("FINANCIAL", [[A], [B]], [[2023, 2024]], [["EBITDA"]])).toEqual([
      [
        toError("no fiscal year 2023; ask for one of 2024"),
        toError('EBITDA of 2024 has only interim figures (HY2); add "HY2" as basis'),
      ],
      [5, 6],
    ]);
  });

  it("is no year of a company without any annual statement", async () => {
    provider.years.set(A, [halfOf(2024, 1, { Revenue: 60 }), halfOf(2023, 2, { Revenue: 50 })]);
    const error = toError(`the provider has no annual statement of this company; give 2024 as year and "HY1" as basis`);
    expect((await provider.show("FINANCIAL", [[A]], [["FY0"]], [["Revenue"]]))[0]?.[0]).toContain(error);
    expect((await provider.show("FINANCIALS", A))[0]?.[0]).toContain(error);
  });

  it("takes no rows of other companies from a table", async () => {
    provider.years.set(A, [halfOf(2024, 1, { Revenue: 60 })]);
    provider.years.set(B, [annualOf(2024, { Revenue: 9 })]);
    expect(await provider.show("FINANCIALS", `${A},${B}`, null, null, null, null, null, false)).toEqual([
      [A, "", "", ""],
      [B, 2024, "JPY", 9],
    ]);
  });

  it("is not meant by a date in one of them", async () => {
    const bounds = { financialPeriodStart: "2024-10-01", financialPeriodEnd: "2025-03-31" };
    provider.years.set(A, [halfOf(2025, 1, { Revenue: 60 }, bounds), annualOf(2024, { Revenue: 100 })]);
    const [row] = await provider.show("FINANCIAL", [[A]], [["2024-11-30", "2025-02-28"]], [["Revenue"]]);
    expect(row).toEqual([100, expect.stringMatching(/^#N\/A FEED_NO_VALUE: no fiscal year of this company has/)]);
  });
});
