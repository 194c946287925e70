import { expect, it } from "@jest/globals";
import { expectFilled } from "./full-workbook";
import { createTestBed } from "./test-bed";
import { readRevenues } from "./truth";

it("a workbook of 20,000 formulas shows its progress, and is answered by a few requests and one token", async () => {
  const testBed = await createTestBed({ companies: 400 });
  const revenues = await readRevenues(testBed.read, 80);
  testBed.provider.controls.reset();
  const page = await testBed.open();
  expect(await expectFilled(page, testBed, revenues, { years: 10, copies: 180 })).toBe(20_000);
  page.close();
  await testBed.close();
}, 120_000);
