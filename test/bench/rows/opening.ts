import type { Browser, Page } from "playwright-core";
import { waitForDemo } from "../../e2e/playground-page";
import { openOfficeHost, playOffice } from "../../office/browser-host";
import { waitUntilConnected } from "../../support/pane-page";
import { interleave, mapValues, median } from "../measure";
import { type Bench, type Finding, type Row, toFinding } from "../row";
import { startSite } from "../site";

const GOAL_MS = 1_500;
const FIGURE = [[["3d1ce6e7-7fd1-463c-ab13-8646d111213d"]], [[2023]], [["Revenue"]], null, null];
/** The pane's floor: no add-in starts before Office.js. */
const EMPTY_PAGE = `<!doctype html><meta charset="utf-8"><title>empty</title>
<script src="https://appsforoffice.microsoft.com/lib/1/hosted/office.js"></script>`;

export const OPENING: Row = {
  name: "opening",
  title: "What opens: a workbook, the pane, the playground",
  async measure(bench) {
    const site = await startSite(500);
    const findings = [
      ...(await measureClosed(bench, site.origin)),
      ...(await measurePane(bench, site.origin)),
      await measurePlayground(bench, site.origin),
    ];
    site.close();
    return findings;
  },
};

/** A workbook with a formula whose pane stays closed. */
async function measureClosed({ browser, rounds }: Bench, origin: string): Promise<Finding[]> {
  const { FEED } = await interleave(rounds, { FEED: () => openClosed(browser, origin) });
  const toSamples = (name: keyof (typeof FEED)[number]) => FEED.map((each) => each[name]);
  return [
    toFinding("a workbook opened with its pane closed, until its first cell", "ms", toSamples("tookMs")),
    toFinding("scripts that the page had loaded by then, compressed", "bytes", toSamples("bytes")),
  ];
}

async function openClosed(browser: Browser, origin: string): Promise<{ tookMs: number; bytes: number }> {
  const host = await openOfficeHost(browser, { origin, isClosed: true });
  await host.next(host.call("FINANCIAL", FIGURE));
  const opened = await host.frame.evaluate(() => {
    const loaded = performance.getEntriesByType("resource") as PerformanceResourceTiming[];
    const scripts = loaded.filter(({ name }) => name.startsWith(location.origin) && name.endsWith(".js"));
    return { tookMs: performance.now(), bytes: scripts.reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0) };
  });
  await host.close();
  return opened;
}

async function measurePane({ browser, rounds }: Bench, origin: string): Promise<Finding[]> {
  const opened = await interleave(rounds, {
    FEED: () => openTwice(browser, origin, openPane),
    floor: () => openTwice(browser, origin, openEmpty),
  });
  return (["for the first time", "again"] as const).map((how, nth) => {
    const samples = mapValues(opened, (all) => all.map((each) => each[nth]!));
    const goal = [`${GOAL_MS} ms`, median(samples.FEED) <= GOAL_MS] as const;
    return toFinding(`the pane opened ${how}, until it can be worked with`, "ms", samples, goal);
  });
}

/** Emulated desktop Excel on the genuine Office.js: first with an empty cache, then with the first run's. */
async function openTwice(browser: Browser, origin: string, open: (page: Page, origin: string) => Promise<number>) {
  const { page } = await playOffice(browser, { origin });
  const taken = [await open(page, origin), await open(page, origin)];
  await page.context().close();
  return taken;
}

/** Milliseconds from the request of the page until everything is shown, and the page is idle. */
async function openPane(page: Page, origin: string): Promise<number> {
  await page.goto(`${origin}/taskpane.html`, { waitUntil: "commit" });
  await page.getByRole("tab").first().waitFor();
  const tookMs = await readIdle(page);
  await waitUntilConnected(page);
  return tookMs;
}

async function openEmpty(page: Page, origin: string): Promise<number> {
  await page.route(`${origin}/empty.html`, (route) => route.fulfill({ contentType: "text/html", body: EMPTY_PAGE }));
  await page.goto(`${origin}/empty.html`);
  await page.evaluate(() => Office.onReady());
  return readIdle(page);
}

/** A scheduled task that runs shows an idle page. */
const readIdle = (page: Page): Promise<number> =>
  page.evaluate(
    () => new Promise<number>((resolve) => setTimeout(() => requestAnimationFrame(() => resolve(performance.now())))),
  );

/** Its floor is the grid alone with an empty pane, without any formula. */
async function measurePlayground({ browser, rounds }: Bench, origin: string): Promise<Finding> {
  const open = async (hasFormulas: boolean) => {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    const empty = { contentType: "text/html", body: "" };
    if (!hasFormulas) await page.route("**/playground-pane.html*", (route) => route.fulfill(empty));
    await page.goto(`${origin}/playground.html?lang=en`);
    await page.evaluate(() => window.playground.ready);
    if (hasFormulas) await waitForDemo(page);
    const tookMs = await page.evaluate(() => performance.now());
    await page.close();
    return tookMs;
  };
  const samples = await interleave(rounds, { FEED: () => open(true), "the grid alone": () => open(false) });
  return toFinding("the playground opened, until its sample workbook shows all values", "ms", samples);
}
