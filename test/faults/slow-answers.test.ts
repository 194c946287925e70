import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { drain } from "../support/clock";
import type { Answering, Received } from "../support/http-server";
import { type PlainProvider, startPlainProvider } from "../support/plain-provider";
import { until } from "../support/until";
import { readCells, typeRevenues } from "./revenue";
import { openPage, type Page } from "./test-bed";

const IDS = Array.from({ length: 30 }, (_, nth) => `${String(nth).padStart(8, "0")}-0000-4000-8000-000000000000`);
const REVENUES = IDS.map((_, nth) => 1_000 + nth);

let provider: PlainProvider;
let page: Page;

beforeAll(async () => {
  provider = await startPlainProvider();
});
beforeEach(async () => {
  provider.reads.length = 0;
  page = await openPage(provider.origin, {});
  await page.formulas.session.connect();
});
afterEach(() => page.close());
afterAll(() => provider.close());

const toElement = (companyId: string) => {
  const metrics = [{ name: "Revenue", value: REVENUES[IDS.indexOf(companyId)] }];
  const statements = [{ statementType: "INCOME_STATEMENT", consolidationType: "CONSOLIDATED", metrics }];
  const years = [
    { year: 2023, currency: "JPY", periodType: "ANNUAL", period: "FY4", financialType: "FULL", statements },
  ];
  return { companyId, years };
};

function answerFinancials({ method, path, body }: Received): Answering {
  if (method === "GET") return { json: toElement(path.split("/").at(-1) as string) };
  const data = (body as { companyIds: string[] }).companyIds.map(toElement);
  return { json: { data, page: 1, pageSize: 25, total: data.length } };
}

const answerAfter = (ms: number, answering: Answering) =>
  new Promise<Answering>((resolve) => void page.clock.ports.after(ms, () => resolve(answering)));

/** Advances the clock by seconds, with real network traffic in between. */
async function pass(seconds: number): Promise<void> {
  for (let second = 0; second < seconds; second++) {
    await drain();
    await page.clock.advance(1_000);
  }
}

describe("answers of a provider", () => {
  it.each([16, 20, 28])("that take %s seconds are shown when they come", async (seconds) => {
    provider.answer = (request) => answerAfter(seconds * 1_000, answerFinancials(request));
    const cells = typeRevenues(page, IDS);
    await until(() => provider.reads.length === 2);
    await pass(seconds - 1);
    expect(readCells(cells)).toEqual(IDS.map(() => undefined));
    await pass(2);
    await until(() => readCells(cells).every((shown) => shown !== undefined));
    expect(readCells(cells)).toEqual(REVENUES);
  });

  it("are shown by the hedging request if the first never comes", async () => {
    provider.answer = (request) => (provider.reads.length === 1 ? { raw: () => {} } : answerFinancials(request));
    const cells = typeRevenues(page, IDS.slice(0, 1));
    await until(() => provider.reads.length === 1);
    await pass(15);
    await until(() => readCells(cells)[0] !== undefined);
    expect(readCells(cells)).toEqual(REVENUES.slice(0, 1));
    expect(provider.reads).toHaveLength(2);
  });
});
