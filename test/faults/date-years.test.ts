import { afterEach, describe, expect, it } from "@jest/globals";
import { annualOf, startYearsProvider, toNumber, type YearsProvider } from "./years-provider";

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
  it("takes one request for each 25 companies if POST has the bounds of years", async () => {
    await start(false);
    expect(await showDay(50)).toEqual(listNumbers(50));
    expect(provider.methods()).toEqual(["POST", "POST"]);
  });

  it("takes one more for each company without bounds, and for no other", async () => {
    const bare = [3, 30].map(idOf);
    await start((companyId) => bare.includes(companyId));
    expect(await showDay(50)).toEqual(listNumbers(50));
    expect(provider.methods().sort()).toEqual(["GET", "GET", "POST", "POST"]);
    expect(
      provider.requests.filter(({ method, path }) => method === "GET" && bare.some((id) => path.endsWith(id))),
    ).toHaveLength(2);
  });

  it("takes one request for one company", async () => {
    await start(true);
    expect(readCost(1)).toEqual({ requests: 1, now: 1, isLeast: false });
    expect(await showDay(1)).toEqual([0]);
    expect(provider.methods()).toEqual(["GET"]);
  });

  it("is counted beforehand by its maximum, and sent once that is confirmed", async () => {
    await start(true, 20);
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
