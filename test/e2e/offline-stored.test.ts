import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from "@jest/globals";
import type { Browser, Page } from "playwright-core";
import { launchBrowser } from "../support/browser";
import type { RunningCompanion } from "../support/companion";
import { until } from "../support/until";
import { listPersisted, startOnCopy, waitUntilPersisted } from "./offline-page";
import { clearWorkbook, openPlayground, servePages, type, waitFor } from "./playground-page";

/** Requests that must not be cached: key and provider data, the program, unloaded files, a gateway's page, a 404. */
const UNCACHED = [
  "/companion/all.json",
  "/sandbox/all.json",
  "/healthz",
  "/manifest.xml",
  "/gateway.json",
  "/absent.json",
];
/** More files than the worker's cache holds. */
const MANY = 250;

jest.setTimeout(60_000);

let browser: Browser;
let companion: RunningCompanion;
/** The folder of the served pages, which a test may change. */
let folder: string;
let page: Page;

beforeAll(async () => {
  const rules = "--host-resolver-rules=MAP lan.example 127.0.0.1";
  [browser, { companion, folder }] = await Promise.all([launchBrowser([rules]), startOnCopy()]);
});
afterAll(async () => {
  await browser?.close();
  await companion?.close();
});

const reload = async () => {
  await page.reload();
  await page.evaluate(() => window.playground.ready);
};

describe("the service worker's cache", () => {
  /** Opens the playground for the first time, and waits until the worker has cached all its files. */
  beforeAll(async () => {
    ({ page } = await openPlayground(browser, `${companion.origin}/playground.html?lang=en`));
    await waitUntilPersisted(page);
  });
  afterEach(() => page.context().unrouteAll());
  afterAll(() => page.context().close());

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
    await reload();
    const persisted = await listPersisted(page);
    expect(persisted).toContain(`${companion.origin}/playground.html`);
    expect(persisted.filter((address) => /companion|sandbox|\?/.test(address.slice(companion.origin.length)))).toEqual(
      [],
    );
    expect(
      persisted.filter((address) => [...UNCACHED, "/functions-ja.json"].includes(new URL(address).pathname)),
    ).toEqual([]);
  });

  it("is bounded and evicts the least recently loaded file", async () => {
    for (let number = 0; number < MANY; number++) writeFileSync(join(folder, `former-${number}.json`), "{}");
    await page.evaluate(async (many) => {
      const load = async (number: number) => (await fetch(`/former-${number}.json`)).text();
      await load(0);
      await Promise.all(Array.from({ length: many - 1 }, (_, index) => load(index + 1)));
    }, MANY);
    await reload();
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

describe("a browser without service workers", () => {
  it("opens the pages without an error", async () => {
    const { origin, close } = await servePages({});
    const said: string[] = [];
    const page = await browser.newPage();
    page.on("console", (message) => said.push(message.text()));
    page.on("pageerror", ({ message }) => said.push(message));
    await page.goto(`${origin.replace("127.0.0.1", "lan.example")}/playground.html`);
    await page.evaluate(() => window.playground.ready);
    expect(await page.evaluate(() => isSecureContext)).toBe(false);
    expect(said.filter((text) => /service ?worker/i.test(text))).toEqual([]);
    await page.close();
    await close();
  });
});
