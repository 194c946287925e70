import { beforeAll, beforeEach, describe, expect, it, jest } from "@jest/globals";
import { installCustomFunctions } from "../office/custom-functions";
import { installOffice } from "../support/formula-cells";
import { type Command, close, createPage, type Formula, type Page, perform } from "./properties/plain-figures-model";

const mockPage = { session: {} as Page["session"] };
jest.mock("../../src/session/current", () => mockPage);

let financial: (...given: unknown[]) => void;
let page: Page;

beforeAll(async () => {
  installCustomFunctions();
  await installOffice({ CustomFunctionsRuntime: "1.4", ExcelApi: "1.19" });
  ({ financial } = require("../../src/functions/financials"));
});

beforeEach(() => {
  page = createPage(financial, false);
  mockPage.session = page.session;
});

const formula = (company: number): Formula => ({ company, year: 2022, metric: "Revenue", basis: null, unit: null });

/** Types so many formulas of each company in one message of the host. */
const type = (...counts: number[]): Command => {
  const all = counts.flatMap((count, company) => Array.from({ length: count }, () => formula(company)));
  return { kind: "type", cells: all.map((each, cell) => ({ ...each, cell })) };
};

const answer = (company: number, value: number): Command => ({
  kind: "answer",
  company,
  financials: [
    {
      year: 2022,
      periodType: "ANNUAL",
      statements: [{ statementType: "P", consolidationType: "CONSOLIDATED", metrics: [{ name: "Revenue", value }] }],
    },
  ],
});

const countShown = (value: number) =>
  [...page.cells.values()].filter(({ shown }) => shown.flat(2).at(-1) === value).length;

/** The host refuses the first output of a cell. */
function refuseOnce(cell: number): void {
  const invocation = page.cells.get(cell)!;
  const { setResult } = invocation;
  invocation.setResult = () => {
    invocation.setResult = setResult;
    throw new Error("the cell has gone");
  };
}

const expectRefusal = (done: Promise<void>) => expect(done).rejects.toThrow("the cell has gone");

describe("many figures of one answer", () => {
  it("show in all other cells where the host refuses one, and change with the next answer", async () => {
    await perform(page, type(1_200));
    refuseOnce(3);
    await expectRefusal(perform(page, answer(0, 1)));
    await perform(page, { kind: "advance", byMs: 100 });
    expect(countShown(1)).toBe(1_199);
    await perform(page, { kind: "refresh" });
    await perform(page, answer(0, 2));
    expect(countShown(2)).toBe(1_200);
    await close(page);
  });

  it("show in the cells of other companies, of the same message, where the host refuses one", async () => {
    await perform(page, type(1, 1));
    await perform(page, answer(0, 1));
    await perform(page, answer(1, 1));
    page.cells.clear();
    const typed = perform(page, type(3, 3)); // the cells come before the microtask that opens them
    refuseOnce(0);
    await typed.catch(() => {});
    await perform(page, { kind: "advance", byMs: 100 });
    expect(countShown(1)).toBe(5);
  });
});
