import { afterAll, afterEach, beforeAll, describe, expect, it } from "@jest/globals";
import type { Browser, Page } from "playwright-core";
import { launchBrowser } from "../support/browser";
import { type RunningCompanion, startCompanion } from "../support/companion";
import { clearWorkbook, openDemo, readRange, readSettled, type } from "./playground-page";

/** Nothing that the demo asked answers it. */
const TABLE = '=FEED.RANKING("2023-05-01","2023-05-31",3)';
/** A little more than a question may take. */
const DEADLINE_MS = 35_000;

let browser: Browser;
const companions: RunningCompanion[] = [];

beforeAll(async () => {
  browser = await launchBrowser();
});
afterEach(async () => {
  for (const companion of companions.splice(0)) await companion.close();
});
afterAll(() => browser?.close());

async function openEmpty(companion: RunningCompanion): Promise<Page> {
  const { page } = await openDemo(browser, companion.origin);
  await clearWorkbook(page);
  return page;
}

/** A companion that ends with its test at the latest. */
async function start(): Promise<RunningCompanion> {
  const companion = await startCompanion();
  companions.push(companion);
  return companion;
}

describe("what is shown already", () => {
  it("stays when the companion is stopped, and answers another formula that asks the same", async () => {
    const companion = await start();
    const { page, errors } = await openDemo(browser, companion.origin);
    const before = await readRange(page, "Model!A1:H36");
    await companions.pop()?.close();
    await type(page, ["J40", '=FEED.FINANCIAL(B6,G4,"Revenue",,B2)']);
    expect((await readSettled(page, "J40")).value).toBe(before[5]?.[6]);
    expect(await readRange(page, "Model!A1:H36")).toEqual(before);
    expect(errors).toEqual([]);
    await page.close();
  });
});

describe("a formula typed when the companion has been stopped", () => {
  it(
    "says that the companion does not answer, although the token still lives",
    async () => {
      const companion = await start();
      const page = await openEmpty(companion);
      await companions.pop()?.close();
      await type(page, ["A1", TABLE]);
      const { value, error } = await readSettled(page, "A1", DEADLINE_MS);
      expect(`${value} ${error?.message}`).toMatch(
        /^#N\/A FEED_SIGNER_UNREACHABLE: the companion does not answer; start it/,
      );
      await page.close();
    },
    2 * DEADLINE_MS,
  );

  it(
    "says the same when there is no token left",
    async () => {
      const companion = await start();
      companion.controls.tokenFaults = { expiresIn: 0.001 }; // over before its first use
      const page = await openEmpty(companion);
      await companions.pop()?.close();
      await type(page, ["A1", TABLE]);
      const { value, error } = await readSettled(page, "A1", DEADLINE_MS);
      expect(`${value} ${error?.message}`).toMatch(/^#N\/A FEED_SIGNER_UNREACHABLE: .*companion/);
      await page.close();
    },
    2 * DEADLINE_MS,
  );
});
