import { afterAll, beforeAll, expect, it } from "@jest/globals";
import type { Browser } from "playwright-core";
import { launchBrowser, saveScreenshot } from "../support/browser";
import { type RunningCompanion, startCompanion } from "../support/companion";
import { clearWorkbook, openDemo, read, readRange, readSettled, type } from "./playground-page";

const COMPANY = "3d1ce6e7-7fd1-463c-ab13-8646d111213d";

let browser: Browser;
let companion: RunningCompanion;

beforeAll(async () => {
  [browser, companion] = await Promise.all([launchBrowser(), startCompanion()]);
});
afterAll(async () => {
  await browser.close();
  await companion.close();
});

it("shows a date as a date in a cell and in every cell of a spill, and each stays a number", async () => {
  const { page, errors } = await openDemo(browser, companion.origin);
  await clearWorkbook(page);
  await type(
    page,
    ["A1", COMPANY],
    ["A2", '=FEED.FINANCIAL(A1,2023,"periodEnd")'],
    ["A3", "=A2+1"],
    ["A4", "=YEAR(A2)"],
    ["A5", '=FEED.FINANCIAL(A1,A2,"Revenue")'],
    ["A6", '=FEED.FINANCIAL(A1,2023,"Revenue")'],
    ["A8", '=FEED.FINANCIAL(A1,"2021:2023","periodEnd")'],
  );
  const end = await readSettled(page, "A2");
  expect(end.text).toMatch(/^202[34]-\d{2}-\d{2}$/);
  expect(end.value).toBe(Date.parse(end.text) / 86_400_000 + 25_569);
  expect((await readSettled(page, "A4")).value).toBe(Number(end.text.slice(0, 4)));
  expect((await read(page, "A3")).value).toBe(Number(end.value) + 1);
  const figure = await readSettled(page, "A6");
  expect(await readSettled(page, "A5")).toEqual(figure);
  expect(typeof figure.value).toBe("number");
  await readSettled(page, "A8");
  for (const cell of ["A8", "B8", "C8"]) expect((await read(page, cell)).text).toMatch(/^202\d-\d{2}-\d{2}$/);
  const [ends = []] = await readRange(page, "A8:C8");
  expect(ends.at(-1)).toBe(end.value);
  await saveScreenshot(page, "playground-formats");
  expect(errors).toEqual([]);
  await page.close();
});
