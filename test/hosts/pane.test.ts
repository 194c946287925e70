import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import type { Browser } from "playwright-core";
import { type OfficeHost, openOfficeHost } from "../office/browser-host";
import { launchBrowser } from "../support/browser";
import { type RunningCompanion, startCompanion } from "../support/companion";
import { createDirectReading } from "../support/direct-reading";
import { type Facts, readFacts } from "../support/formula-calls";
import { openSettings, waitUntilConnected } from "../support/pane-page";
import { NAMED_HOSTS } from "./named-hosts";

let browser: Browser;
let companion: RunningCompanion;
let facts: Facts;
let office: OfficeHost;

beforeAll(async () => {
  [browser, companion] = await Promise.all([launchBrowser(), startCompanion({ companies: 100 })]);
  facts = await readFacts(await createDirectReading(companion.origin));
});
afterAll(async () => {
  await browser.close();
  await companion.close();
});

describe.each(NAMED_HOSTS)("the pane in %s", (_, { requirementSets, hasDataTypes, paneWidth }) => {
  beforeEach(async () => {
    office = await openOfficeHost(browser, {
      origin: companion.origin,
      requirementSets: requirementSets.value,
      settings: { feed: '{"numberProperties":true}' },
      context: { viewport: { width: paneWidth.value, height: 720 } },
    });
    await waitUntilConnected(office.page);
  });
  afterEach(() => office.close());

  it("lets figures carry properties only if functions have data types, with the workbook's switch on", async () => {
    const given = [[[facts.companies[0]?.id]], [["FY0"]], [["Revenue"]], null, null];
    const { value } = await office.next(office.call("FINANCIAL", given));
    const carrying = expect.objectContaining({ type: "Double", basicValue: expect.any(Number) });
    expect(value).toEqual([[hasDataTypes.value ? carrying : expect.any(Number)]]);
    await openSettings(office.page);
    const refusal = office.page.getByText("This Excel cannot show properties of numbers");
    expect(await refusal.count()).toBe(hasDataTypes.value ? 0 : 1);
  });

  it("fits its usual width on every tab and in the settings", async () => {
    const tabs = office.page.getByRole("tablist").first().getByRole("tab");
    const overhangs: number[] = [];
    for (const tab of await tabs.all()) {
      await tab.click();
      overhangs.push(await office.page.evaluate(() => document.documentElement.scrollWidth - innerWidth));
    }
    await openSettings(office.page);
    overhangs.push(await office.page.evaluate(() => document.documentElement.scrollWidth - innerWidth));
    expect(overhangs).toEqual(Array(6).fill(0));
  });
});
