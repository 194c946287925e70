import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "@jest/globals";
import type { Page } from "playwright-core";
import { openOfficeHost } from "../office/browser-host";
import type { RunningCompanion } from "../support/companion";
import { openTab, waitForStatus, waitUntilConnected } from "../support/pane-page";
import { until } from "../support/until";
import { listPersisted, startOnCopy, untilPersisted, waitUntilPersisted } from "./offline-page";
import { waitUntilPersisted as waitUntilAnswered } from "./persisted-answers";
import {
  clearWorkbook,
  openWorkbook,
  pane,
  read,
  readRange,
  readSettled,
  reload,
  type,
  waitFor,
} from "./playground-page";
import { createBrowser, createOpening } from "./surroundings";

const OFFICE_SCRIPTS = "https://appsforoffice.microsoft.com";
const OFFICE_SCRIPT = `${OFFICE_SCRIPTS}/lib/1/hosted/office.js`;
const RANKING = '=FEED.RANKING("2024-01-01","2024-01-31",5)';
const FIGURE = '=FEED.FINANCIAL("3d1ce6e7-7fd1-463c-ab13-8646d111213d",2023,"Revenue")';
const SINCE = /^Offline since \d\d:\d\d\. Cells show what came before/;

/** Requests that must not be cached: key and provider data, the program, unloaded files, a gateway's page, a 404. */
const UNCACHED = [
  ...["/companion/all.json", "/sandbox/all.json", "/healthz", "/manifest.xml"],
  ...["/gateway.json", "/absent.json"],
];
/** More files than the worker's cache holds. */
const MANY = 250;

const at = createBrowser();
const openIn = createOpening(() => companion.origin);
let companion: RunningCompanion;
/** The folder of the served pages, which a test may change. */
let folder: string;
let page: Page;

/** Opens the playground for the first time, and waits until the worker has cached all its files. */
beforeAll(async () => {
  ({ companion, folder } = await startOnCopy());
  page = await open();
});
afterEach(() => page.context().setOffline(false));
afterAll(() => companion?.close());

async function open(): Promise<Page> {
  const opened = await openIn(at.browser);
  await waitUntilPersisted(opened);
  return opened;
}

/** Reloads the page until its first line. */
const reloadHead = async () => (await page.reload({ waitUntil: "commit" }))?.headers() ?? {};

it("a workbook opened once before opens offline with every value, shows since when, and updates once online", async () => {
  await clearWorkbook(page);
  await type(page, ["A1", RANKING], ["A10", FIGURE]);
  await waitFor(page, "A6", 5);
  await readSettled(page, "A10");
  const before = await readRange(page, "A1:I10");
  const saved = await page.evaluate(() => window.playground.save());
  await waitUntilAnswered(page, ['"2024-01-31T23:59:59",5]', "3d1ce6e7-7fd1"]);
  await page.context().setOffline(true);
  const line = pane(page).getByRole("status").filter({ hasText: SINCE });
  const said = await line.textContent();

  await reload(page);
  companion.controls.requests.length = 0;
  await openWorkbook(page, saved);
  await waitFor(page, "A6", 5);
  await readSettled(page, "A10");
  expect(await readRange(page, "A1:I10")).toEqual(before);
  expect(await pane(page).getByRole("status").filter({ hasText: SINCE }).textContent()).toBe(said);
  await waitForStatus(pane(page), /^Offline/);
  expect(await page.getByRole("alert").textContent()).toBe("");

  await type(page, ["A11", FIGURE.replace("2023", "2022")], ["A12", RANKING.replace("01-31", "01-30")]);
  await readSettled(page, "A12");
  expect(companion.controls.requests).toEqual([]);
  await page.context().setOffline(false);
  await waitUntilConnected(pane(page));
  expect(await pane(page).getByText(SINCE).count()).toBe(0);
  await waitFor(page, "A13", 1);
  await until(async () => typeof (await read(page, "A11")).value === "number");
});

describe("a page opened once before", () => {
  it("opens offline with its grid, its formulas and every part of its pane", async () => {
    await page.context().setOffline(true);
    await reload(page);
    for (const name of ["Find", "Build", "Sheets", "Changes"]) {
      await openTab(pane(page), name);
      const panel = pane(page).getByRole("tabpanel", { name, exact: true });
      await panel.locator("button:visible, input:visible").first().waitFor();
      expect(await panel.getByRole("alert").count()).toBe(0);
    }
    await type(page, ["A1", "=1+1"], ["A2", '=FEED.RANKING("2024-01-01","2024-01-31",1)']);
    await waitFor(page, "A1", 2);
    expect((await read(page, "A2")).value).not.toBe("#NAME?");
  });

  it("opens offline by its short URL too", async () => {
    await page.evaluate(() => fetch("/")); // a script's request for the root must not replace the cached page
    await page.context().setOffline(true);
    await page.goto(companion.origin);
    await page.evaluate(() => window.playground.ready);
  });

  it("checks the model offline, once that was done online", async () => {
    const check = async () => {
      await openTab(pane(page), "Changes");
      await pane(page).getByRole("button", { name: "Check", exact: true }).click();
      await pane(page)
        .getByText(/^(Nothing found: |This workbook has no FEED figures)/)
        .waitFor();
      expect(page.workers().map((worker) => worker.url())).toContain(`${companion.origin}/check.js`);
    };
    await reload(page);
    await check();
    await untilPersisted(page, "/check.js");
    await page.context().setOffline(true);
    await reload(page);
    await check();
  });

  it("keeps its headers, so its security policy holds offline", async () => {
    const online = await reloadHead();
    await page.context().setOffline(true);
    const offline = await reloadHead();
    expect(offline["content-security-policy"]).toContain("frame-ancestors");
    expect(offline["content-security-policy"]).toBe(online["content-security-policy"]);
  });

  it("is the newest version when online, and offline from then on", async () => {
    const path = join(folder, "playground.html");
    const former = readFileSync(path, "utf8");
    const isNewer = () => page.locator('meta[name="newer"]').count();
    writeFileSync(path, former.replace("<title>", '<meta name="newer"><title>'));
    try {
      await reloadHead();
      expect(await isNewer()).toBe(1);
      await untilPersisted(page, "/playground.html", 'name="newer"');
      await page.context().setOffline(true);
      await reloadHead();
      expect(await isNewer()).toBe(1);
    } finally {
      writeFileSync(path, former);
    }
  });

  /** A separate page: a worker that still serves another page would have to be waited for. */
  let fresh: Page;

  it("is cached whole when a file is still on its way as the worker starts", async () => {
    fresh = await at.browser.newPage();
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    writeFileSync(join(folder, "late.json"), "{}");
    await fresh.addInitScript(() => void (window === top && fetch("/late.json")));
    await fresh.route("**/late.json", (route) => released.then(() => route.continue()));
    await fresh.goto(`${companion.origin}/playground.html?lang=en`);
    await fresh.waitForFunction(() => navigator.serviceWorker.controller);
    await untilPersisted(fresh, "/playground.js");
    release();
    await untilPersisted(fresh, "/late.json");
  });

  it("is cached by the newest worker, which activates at once", async () => {
    appendFileSync(join(folder, "offline.js"), "// newer");
    const former = await fresh.evaluateHandle(async () => (await navigator.serviceWorker.ready).active);
    // As a browser does by itself eventually. An update under way is joined, and may have read the old file.
    await until(() =>
      fresh.evaluate(async (old) => {
        const registration = await navigator.serviceWorker.ready;
        await registration.update();
        return registration.active !== old;
      }, former),
    );
    await fresh.context().close();
  });

  it("opens in Excel offline, with the newest Office.js that was loaded", async () => {
    const { page, errors } = await openOfficeHost(at.browser, { origin: companion.origin });
    const said: string[] = [];
    page.on("console", (message) => message.location().url.startsWith(companion.origin) && said.push(message.text()));
    await waitUntilConnected(page);
    await waitUntilPersisted(page);
    expect((await listPersisted(page)).filter((address) => address.startsWith(OFFICE_SCRIPTS)).length).toBeGreaterThan(
      1,
    );
    await page.context().route(OFFICE_SCRIPT, async (route) => {
      const body = readFileSync(join(__dirname, "../../node_modules/@microsoft/office-js/dist/office.js"), "utf8");
      await route.fulfill({ contentType: "text/javascript", body: `${body};window.isNewer = true;` });
    });
    await page.reload();
    await untilPersisted(page, OFFICE_SCRIPT, "isNewer");
    await page.context().unrouteAll({ behavior: "wait" });
    await page.context().setOffline(true);
    await page.reload();
    await page.getByRole("tab", { name: "Find" }).waitFor();
    expect(await page.evaluate(() => "isNewer" in window)).toBe(true);
    expect(errors).toEqual([]);
    expect(said.filter((text) => /TrustedScript|service ?worker/i.test(text))).toEqual([]);
    await page.context().close();
  });
});

/** Comes last, since it fills the cache. */
describe("the service worker's cache", () => {
  beforeAll(() => reload(page));
  afterEach(() => page.context().unrouteAll());

  it("holds no answer of the companion or the provider, and no query", async () => {
    await clearWorkbook(page);
    await type(page, ["A1", '=FEED.RANKING("2024-01-01","2024-01-31",1)']);
    await waitFor(page, "A2", 1);
    const context = page.context();
    await context.route("**/all.json", (route) => route.fulfill({ json: [] }));
    const headers = { "cache-control": "no-store" };
    await context.route("**/gateway.json", (route) => route.fulfill({ json: "sign in first", headers }));
    await page.evaluate(async (paths) => {
      for (const path of paths) await fetch(path, { headers: { "feed-client": "excel" } });
      await fetch("/functions-ja.json", { headers: { authorization: "Bearer secret" } });
    }, UNCACHED);
    await reload(page);
    const persisted = await listPersisted(page);
    expect(persisted).toContain(`${companion.origin}/playground.html`);
    const mustNotBe = [...UNCACHED, "/functions-ja.json"];
    const isWrong = (address: string) =>
      /companion|sandbox|\?/.test(address.slice(companion.origin.length)) ||
      mustNotBe.includes(new URL(address).pathname);
    expect(persisted.filter(isWrong)).toEqual([]);
  });

  it("is bounded and evicts the least recently loaded file", async () => {
    for (let number = 0; number < MANY; number++) writeFileSync(join(folder, `former-${number}.json`), "{}");
    await page.evaluate(async (many) => {
      const load = async (number: number) => (await fetch(`/former-${number}.json`)).text();
      await load(0);
      await Promise.all(Array.from({ length: many - 1 }, (_, index) => load(index + 1)));
    }, MANY);
    await reload(page);
    let persisted: string[] = [];
    await until(async () => {
      persisted = await listPersisted(page);
      return persisted.length <= MANY;
    });
    expect(persisted).toContain(`${companion.origin}/playground.html`);
    expect(persisted).toContain(`${companion.origin}/former-${MANY - 1}.json`);
    expect(persisted).not.toContain(`${companion.origin}/former-0.json`);
  });
});

it("a browser without service workers opens the pages without an error", async () => {
  const said: string[] = [];
  const page = await at.browser.newPage();
  page.on("console", (message) => said.push(message.text()));
  page.on("pageerror", ({ message }) => said.push(message));
  const lan = "http://lan.example"; // no secure context
  await page.route(`${lan}/**`, async (route) => {
    const response = await route.fetch({ url: route.request().url().replace(lan, companion.origin) });
    await route.fulfill({ response });
  });
  await page.goto(`${lan}/playground.html`);
  await page.evaluate(() => window.playground.ready);
  expect(await page.evaluate(() => isSecureContext)).toBe(false);
  expect(said.filter((text) => /service ?worker/i.test(text))).toEqual([]);
  await page.unrouteAll({ behavior: "ignoreErrors" }); // a file may be on its way
  await page.close();
});
