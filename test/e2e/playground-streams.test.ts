import { describe, expect, it } from "@jest/globals";
import { startCompanion } from "../support/companion";
import { clearWorkbook, openPlayground, read, readRange, readSettled, type, waitFor } from "./playground-page";
import { createPlaygroundPage } from "./surroundings";

const RANKING_ALL = '=FEED.RANKING("2024-01-01","2024-01-31","all")';
const RANKING_NOT_ASKED_YET = '=FEED.RANKING("2024-03-01","2024-03-31","all")';
const FIGURE = '=FEED.FINANCIAL("3d1ce6e7-7fd1-463c-ab13-8646d111213d",2023,"Revenue")';
const TABLE = '=FEED.RANKING("2023-05-01","2023-05-31",3)';
/** Much longer than a query outlives its cell. */
const LONG_MS = 10_000;

const at = createPlaygroundPage();

/** The latency of every page of a ranking but the first. */
function delayLaterPages(latencyMs: number): void {
  const { controls } = at.companion;
  controls.latencyMsOf = {
    get rankCompanies() {
      return controls.count("rankCompanies") > 1 ? latencyMs : 0;
    },
  };
}

describe("a ranking of all companies", () => {
  it("shows its first page before later ones are requested, then 4,000 rows and a header", async () => {
    delayLaterPages(2_000);
    await type(at.page, ["A1", RANKING_ALL]);
    await waitFor(at.page, "A2", 1);
    const requestsAtFirst = at.companion.controls.count("rankCompanies");
    expect((await read(at.page, "A4001")).value).toBeNull();
    at.companion.controls.latencyMsOf = {};
    await waitFor(at.page, "A4001", 4000);
    expect(at.companion.controls.count("rankCompanies")).toBeGreaterThan(requestsAtFirst);
    const ranks = (await readRange(at.page, "A1:A4002")).flat();
    expect(ranks).toEqual(["Rank", ...Array.from({ length: 4000 }, (_, index) => index + 1), null]);
  });

  it("shows every hostile name as text and runs nothing", async () => {
    const dialogs: string[] = [];
    at.page.on("dialog", (dialog) => {
      dialogs.push(dialog.message());
      void dialog.dismiss();
    });
    await type(at.page, ["A1", RANKING_ALL]);
    await waitFor(at.page, "A4001", 4000);
    const names = (await readRange(at.page, "B2:B4001")).map(([name], index) => ({
      name: String(name),
      row: index + 2,
    }));
    const hostile = names.filter(({ name }) => /^[=+@-]|[<>]/.test(name));
    expect(hostile.some(({ name }) => name.startsWith("=HYPERLINK("))).toBe(true);
    expect(hostile.some(({ name }) => name.includes("<img"))).toBe(true);
    const formulas = await at.page.evaluate(
      (rows) => rows.map(({ row }) => window.playground.formula(`B${row}`)),
      hostile.slice(0, 50),
    );
    expect(new Set(formulas)).toEqual(new Set([""]));
    expect(await at.page.locator("[onerror]").count()).toBe(0);
    expect(dialogs).toEqual([]);
  });

  it("requests no further page once its cell is deleted, and cancels the pending one", async () => {
    delayLaterPages(LONG_MS);
    const givenUp = at.page.waitForEvent("requestfailed", (request) => request.url().includes("page=2&"));
    await type(at.page, ["A1", RANKING_NOT_ASKED_YET]);
    await waitFor(at.page, "A2", 1);
    await type(at.page, ["A1", ""]);
    await at.page.waitForFunction(() => window.playground.live() === 0);
    await givenUp;
    const requestsBefore = at.companion.controls.count("rankCompanies");
    expect(requestsBefore).toBeLessThanOrEqual(2);
    at.companion.controls.latencyMsOf = {};
    await type(at.page, ["A1", '=FEED.RANKING("2024-02-01","2024-02-29",1)']);
    await waitFor(at.page, "A2", 1);
    expect(at.companion.controls.count("rankCompanies")).toBe(requestsBefore + 1);
  });
});

describe("a stopped companion", () => {
  it("leaves shown values, and is named by a new formula as unreachable, although the token is valid", async () => {
    const companion = await startCompanion({ companies: 100 });
    const { page, errors } = await openPlayground(at.browser, `${companion.origin}/playground.html`);
    await clearWorkbook(page);
    await type(page, ["A1", FIGURE], ["E1", '=FEED.RANKING("2024-02-01","2024-02-29",1)']);
    const before = (await readSettled(page, "A1")).value;
    expect(before).toEqual(expect.any(Number));
    await waitFor(page, "E2", 1); // the script of tables is loaded
    await companion.close();
    await type(page, ["B1", FIGURE], ["C1", TABLE]);
    const { value, error } = await readSettled(page, "C1");
    expect([(await read(page, "A1")).value, (await readSettled(page, "B1")).value]).toEqual([before, before]);
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
