import { describe, expect, it } from "@jest/globals";
import { startCompanion } from "../support/companion";
import { clearWorkbook, openPlayground, readRange, readSettled, type, waitFor, waitForDemo } from "./playground-page";
import { createSurroundings } from "./surroundings";

/** A query that no answer of the demo serves. */
const TABLE = '=FEED.RANKING("2023-05-01","2023-05-31",3)';

const at = createSurroundings();

describe("a stopped companion", () => {
  it("leaves shown values, and is named by a new formula as unreachable, although the token is valid", async () => {
    const companion = await startCompanion({ companies: 100 });
    const { page, errors } = await openPlayground(at.browser, `${companion.origin}/playground.html`);
    await waitForDemo(page);
    const before = await readRange(page, "Model!A1:H36");
    await companion.close();
    await type(page, ["J40", '=FEED.FINANCIAL(B6,G4,"Revenue",,B2)']);
    expect((await readSettled(page, "J40")).value).toBe(before[5]?.[6]); // another equal formula
    expect(await readRange(page, "Model!A1:H36")).toEqual(before);
    await type(page, ["L1", TABLE]);
    const { value, error } = await readSettled(page, "L1");
    expect(`${value} ${error?.message}`).toMatch(
      /^#N\/A FEED_SIGNER_UNREACHABLE: the companion does not answer; start it/,
    );
    expect(errors).toEqual([]);
    await page.context().close();
  });
});

describe("a formula's script that never loads", () => {
  it("is reported in the cell by the deadline with a remedy, and loaded again by the next formula", async () => {
    const context = await at.browser.newContext({ serviceWorkers: "block" }); // requests of a service worker bypass routes
    await context.route("**/lists.*.js", () => {});
    await context.clock.install();
    const { page } = await openPlayground(context, `${at.companion.origin}/playground.html`);
    await clearWorkbook(page);
    await type(page, ["A1", TABLE]);
    const script = page.frameLocator("iframe").locator('script[src*="lists."]'); // its request may join the prefetch's
    await script.waitFor({ state: "attached" });
    await page.clock.fastForward(30_000);
    const { value, error } = await readSettled(page, "A1");
    expect(`${value} ${error?.message}`).toMatch(/^#N\/A FEED_NETWORK_FAILED: .* check the network and that the comp/);
    await context.unrouteAll();
    await type(page, ["A10", TABLE.replace(",3)", ",2)")]);
    await waitFor(page, "A12", 2);
    await context.close();
  });
});
