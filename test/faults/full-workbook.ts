import { expect } from "@jest/globals";
import { readCells } from "./revenue";
import type { Page, TestBed } from "./test-bed";

const METRICS = ["Revenue", "Gross Profit", "EBITDA", "EBIT", "Net Income", "Total Assets", "Total Liabilities"];

interface Size {
  /** The years of each company, each with seven metrics. */
  years: number;
  /** Further formulas of each company, for its Revenue of 2023. */
  copies: number;
}

/**
 * Types a workbook's formulas at once: it must show how many are still to come, then every value, by one request for
 * each 25 companies and one token.
 * @param revenues Revenue of 2023 by company.
 */
export async function expectFilled(
  { formulas, rest }: Page,
  testBed: TestBed,
  revenues: Map<string, number>,
  size: Size,
) {
  const { controls } = testBed.provider;
  const pending = formulas.type("STATUS", "pending");
  const companies = [...revenues.keys()];
  const years = Array.from({ length: size.years }, (_, index) => 2014 + index);
  const type = (id: string, year: number, metric: string) => formulas.type("FINANCIAL", [[id]], [[year]], [[metric]]);
  const others = companies.flatMap((id) => years.flatMap((year) => METRICS.map((name) => type(id, year, name))));
  const known = companies.flatMap((id) => Array.from({ length: size.copies }, () => type(id, 2023, "Revenue")));
  await rest();
  expect(readCells(known)).toEqual([...revenues.values()].flatMap((value) => Array(size.copies).fill(value)));
  expect([...others, ...known].filter(({ shown }) => shown.length !== 1)).toEqual([]);
  const counts = (["getFinancialsOfMany", "getCompanyFinancials", "createToken"] as const).map(controls.count);
  expect(counts).toEqual([Math.ceil(companies.length / 25), 0, 1]);
  const texts = pending.shown.flat(2);
  expect(Math.max(...texts.map(Number))).toBeGreaterThan(50);
  expect(texts.at(-1)).toBe(0);
  return others.length + known.length;
}
