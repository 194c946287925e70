import { beforeAll, beforeEach, describe, expect, it, jest } from "@jest/globals";
import fc from "fast-check";
import { installCustomFunctions } from "../../office/custom-functions";
import { installOffice } from "../../support/formula-cells";
import { toRuns, weigh } from "../../support/property";
import {
  type Command,
  close,
  countGrouped,
  createPage,
  type Formula,
  look,
  type Page,
  perform,
} from "./plain-figures-model";

const SHEETS = toRuns(50, 200);

const mockPage = { session: { formulas: { offer: () => {} } } as unknown as Page["session"] };
jest.mock("../../../src/session/current", () => mockPage);

let financial: (...given: unknown[]) => void;

beforeAll(async () => {
  installCustomFunctions();
  await installOffice({ customfunctionsruntime: "1.4", excelapi: "1.19" });
  ({ financial } = require("../../../src/functions/financials"));
});

const company = fc.nat(1);
/** Usual arguments, so many times as often as odd ones. */
const mostly = (weight: number, usual: fc.Arbitrary<unknown>, ...odd: unknown[]) =>
  fc.oneof({ weight, arbitrary: usual }, { weight: 1, arbitrary: fc.constantFrom(...odd) });
const usualMetric = fc.constantFrom("Revenue", "EBIT", "Net Income");
const formula: fc.Arbitrary<Formula> = fc.record({
  company,
  year: mostly(6, fc.integer({ min: 2021, max: 2023 }), 2030, "2022", "FY0", 44_000, null, "2021:2022", 20.5),
  metric: mostly(5, usualMetric, " revenue", "P.EBIT", "P.Revenue", "currency", "periodEnd", "", "None", 7),
  basis: mostly(6, fc.constant(null), "CONSOLIDATED", "HY2", 0, ""),
  unit: mostly(3, fc.constant(null), "m", 1_000, "bad", 0, ""),
});

const value = fc.oneof(fc.integer({ min: -3, max: 3 }), fc.constantFrom(0.1, -0, null, "12", undefined));
const metric = fc.record({ name: fc.constantFrom("Revenue", "revenue", "EBIT", "Net Income", "P.EBIT", ""), value });
const statement = fc.record({
  statementType: fc.constantFrom("P", "B"),
  consolidationType: fc.constantFrom("CONSOLIDATED", "Consolidated", "NON_CONSOLIDATED", ""),
  metrics: fc.array(metric, { maxLength: 4 }),
});
const version = fc.record({
  year: fc.integer({ min: 2021, max: 2023 }),
  currency: fc.constantFrom("JPY", "USD"),
  periodType: fc.constantFrom("ANNUAL", "ANNUAL", "ANNUAL", "HY2", undefined),
  financialPeriodStart: fc.constantFrom("2021-04-01", undefined),
  financialPeriodEnd: fc.constantFrom("2022-03-31", undefined),
  statements: fc.array(statement, { maxLength: 3 }),
});
const financials = fc.array(version, { maxLength: 5 });

const cells = fc.uniqueArray(
  formula.chain((each) => fc.nat(7).map((cell) => ({ ...each, cell }))),
  { minLength: 1, maxLength: 6, selector: ({ cell }) => cell }, // a cell replaced at once is opened in one way only
);
const settings = fc.constantFrom<(Command & { kind: "set" })["settings"]>(
  ...[true, false].map((numberProperties) => ({ numberProperties })),
  ...([1904, 1900] as const).map((dateSystem) => ({ dateSystem })),
);
const kind = <Kind extends Command["kind"]>(each: Kind) => fc.constant(each);
const command: fc.Arbitrary<Command> = fc.oneof(
  weigh(5, { kind: kind("type"), cells }),
  weigh(1, { kind: kind("clear"), cell: fc.nat(7) }),
  weigh(5, { kind: kind("answer"), company, financials }),
  weigh(1, { kind: kind("fail"), company }),
  weigh(1, { kind: kind("preview"), formula }),
  weigh(1, { kind: kind("refresh") }),
  weigh(1, { kind: kind("advance"), byMs: fc.constantFrom(1_600, 30_000) }),
  weigh(1, { kind: kind("set"), settings }),
);

it(
  `a plain figure shows what a formula of the general kind shows, in ${SHEETS} sheets`,
  async () => {
    let grouped = 0;
    const law = fc.asyncProperty(fc.array(command, { minLength: 2, maxLength: 8 }), async (commands) => {
      const pages = [createPage(financial, false), createPage(financial, true)] as const;
      for (const each of commands) {
        const [plain, general] = [await show(pages[0], each), await show(pages[1], each)];
        expect(plain).toEqual(general);
      }
      grouped += countGrouped(pages[0]);
      expect(countGrouped(pages[1])).toBe(0);
      for (const page of pages) {
        mockPage.session = page.session;
        await close(page);
      }
    });
    await fc.assert(law, { seed: 23, numRuns: SHEETS });
    expect(grouped).toBeGreaterThan(SHEETS);
  },
  30_000 + SHEETS * 1_000,
);

/** Performs a command in a page, whose session the formulas take as theirs. */
async function show(page: Page, command: Command): Promise<unknown> {
  mockPage.session = page.session;
  await perform(page, command);
  return look(page);
}

describe("many figures of one answer", () => {
  const toFormula = (company: number): Formula => ({ company, year: 2022, metric: "Revenue", basis: null, unit: null });

  let page: Page;
  beforeEach(() => {
    page = createPage(financial, false);
    mockPage.session = page.session;
  });

  /** Types so many formulas of each company in one message of the host. */
  const type = (...counts: number[]): Command => {
    const all = counts.flatMap((count, company) => Array.from({ length: count }, () => toFormula(company)));
    return { kind: "type", cells: all.map((each, cell) => ({ ...each, cell })) };
  };

  const toAnswer = (company: number, value: number): Command => {
    const metrics = [{ name: "Revenue", value }];
    const statements = [{ statementType: "P", consolidationType: "CONSOLIDATED", metrics }];
    return { kind: "answer", company, financials: [{ year: 2022, periodType: "ANNUAL", statements }] };
  };

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

  it("show in all other cells where the host refuses one, and change with the next answer", async () => {
    await perform(page, type(1_200));
    refuseOnce(3);
    await expect(perform(page, toAnswer(0, 1))).rejects.toThrow("the cell has gone");
    await perform(page, { kind: "advance", byMs: 100 });
    expect(countShown(1)).toBe(1_199);
    await perform(page, { kind: "refresh" });
    await perform(page, toAnswer(0, 2));
    expect(countShown(2)).toBe(1_200);
    await close(page);
  });

  it("show in the cells of other companies, of the same message, where the host refuses one", async () => {
    await perform(page, type(1, 1));
    await perform(page, toAnswer(0, 1));
    await perform(page, toAnswer(1, 1));
    page.cells.clear();
    const typed = perform(page, type(3, 3)); // the cells come before the microtask that opens them
    refuseOnce(0);
    await typed.catch(() => {});
    await perform(page, { kind: "advance", byMs: 100 });
    expect(countShown(1)).toBe(5);
  });
});
