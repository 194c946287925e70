import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from "@jest/globals";
import type { Browser, Frame, Page } from "playwright-core";
import { PAIRING_STORAGE_KEY } from "../../src/contract/companion-api";
import { type OfficeHost, type OfficeHostOptions, openOfficeHost } from "../office/browser-host";
import { toOutcome } from "../office/deliveries";
import { launchBrowser } from "../support/browser";
import { type RunningCompanion, startCompanion } from "../support/companion";
import { checkFit } from "../support/page-access";
import { CONNECTED, openSettings } from "../support/pane-page";
import { type RunningProvider, startSandbox } from "../support/provider";
import { openPlayground, pane } from "./playground-page";
import { issueShownCode } from "./shown-code";

const WRONG = "AAAA-AAAA";
const JANUARY = [[["2024-01"]], null, [[1]], null, null, [[false]]];
const NOT_PAIRED = { code: "#N/A", message: expect.stringContaining("enter the pairing code in the FEED pane") };

jest.setTimeout(60_000);

let browser: Browser;
let provider: RunningProvider;
let companion: RunningCompanion;
let host: OfficeHost;

beforeAll(async () => {
  [browser, provider] = await Promise.all([launchBrowser(), startSandbox({ companies: 20 })]);
});
afterAll(() => Promise.all([browser.close(), provider.close()]));

async function start(): Promise<void> {
  companion = await startCompanion({ provider });
}

async function open(options: Partial<OfficeHostOptions> = {}): Promise<Page> {
  host = await openOfficeHost(browser, { origin: companion.origin, ...options });
  return host.page;
}

async function end(): Promise<void> {
  await host.close();
  await companion.close();
}

const nextValue = async (cell: number) => toOutcome(await host.next(cell));
/** Matches the whole sentence, since "Not connected." contains "connected". */
const status = (page: Page | Frame, text: string | RegExp) =>
  page.getByRole("status").filter({ hasText: text }).first().waitFor();
const field = (page: Page | Frame, name = "Pairing code") => page.getByRole("textbox", { name });
const enter = async (page: Page | Frame, code: string) => {
  await field(page).fill(code);
  await field(page).press("Enter");
};
const focused = (page: Page) => page.evaluate(() => document.activeElement?.textContent);
const isFieldFocused = (page: Page) => field(page).evaluate((element) => element === document.activeElement);
const readBearer = (page: Page) => page.evaluate((key) => localStorage.getItem(key), PAIRING_STORAGE_KEY);

describe("the pane at a companion it is not paired with", () => {
  beforeEach(start);
  afterEach(end);

  it("asks for the code, accepts it as it is typed, and connects automatically from then on", async () => {
    const page = await open();
    await page.getByText("FEED is not connected: the companion does not know this pane yet.").waitFor();
    await page.getByRole("button", { name: "Connect…" }).click();
    await status(page, "The companion does not know this pane yet");
    const cell = host.call("RANKING", JANUARY);
    expect(await nextValue(cell)).toMatchObject({ error: NOT_PAIRED });
    const code = await issueShownCode(companion, page);
    await enter(page, WRONG);
    await page.getByText("That is not the pairing code, or it has ended.").waitFor();
    expect(await isFieldFocused(page)).toBe(true);
    await enter(page, ` ${code.toLowerCase().replace("-", " ")} `);
    await status(page, CONNECTED);
    expect([await focused(page), await field(page).count()]).toEqual(["Connect again", 0]);
    expect(await nextValue(cell)).toEqual({ value: [expect.arrayContaining([1, expect.any(String)])] });
    expect(host.errors).toEqual([]);
    await page.reload();
    await status(page, CONNECTED);
    expect(await companion.pairings.list()).toHaveLength(1);
  });

  it("connects when another window of the origin is paired", async () => {
    const page = await open();
    await page.getByText("FEED is not connected: the companion does not know this pane yet.").waitFor();
    const other = await page.context().newPage();
    await other.goto(`${companion.origin}/playground.html`);
    await other.evaluate(() => window.playground.ready);
    await other.getByRole("button", { name: "FEED pane" }).click(); // as narrow as the other page, so it is hidden at first
    await openSettings(pane(other));
    await enter(pane(other), await issueShownCode(companion, pane(other)));
    await status(page, CONNECTED);
  });

  it("fits 320 and 450 pixels and is accessible, in Japanese and dark", async () => {
    const page = await open({ theme: "dark", language: "ja-JP" });
    await openSettings(page);
    const code = field(page, "ペアリングコード");
    await code.waitFor();
    await checkFit(page, 320, 450);
    await code.fill("ABCD");
    await page.keyboard.press("Enter");
    await page.getByText("ABCD-EFGH").last().waitFor();
    await checkFit(page, 320, 450);
    await code.fill(await issueShownCode(companion, page));
    await page.keyboard.press("Enter");
    await status(page, CONNECTED);
    await page.locator("dl").last().scrollIntoViewIfNeeded();
    await checkFit(page, 320, 450);
  });
});

describe("the pane at a companion it is paired with", () => {
  let page: Page;
  beforeAll(async () => {
    await start();
    page = await open();
    await openSettings(page);
    await enter(page, await issueShownCode(companion, page));
    await status(page, CONNECTED);
  });
  afterAll(end);

  it("asks for a code when the pairing has ended, and cells say so until there is a new one", async () => {
    await companion.pairings.revoke();
    const cell = host.call("RANKING", JANUARY);
    expect(await nextValue(cell)).toMatchObject({ error: NOT_PAIRED });
    await status(page, "The companion does not know this pane yet");
    await enter(page, await issueShownCode(companion, page));
    expect(await nextValue(cell)).toEqual({ value: [expect.arrayContaining([1, expect.any(String)])] });
  });

  it("ends its pairing by a button, and needs a code to connect again", async () => {
    await page.locator("summary", { hasText: "Connection" }).click();
    await page.getByRole("button", { name: "Unpair" }).click();
    await status(page, "Disconnected.");
    expect([await readBearer(page), await companion.pairings.list()]).toEqual([null, []]);
    expect(await focused(page)).toBe("Connect");
    await page.keyboard.press("Enter");
    await field(page).waitFor();
  });
});

describe("the playground at a companion it is not paired with", () => {
  beforeAll(start);
  afterAll(() => companion.close());

  it("says why it has no data, and reads the provider once its pane has the code", async () => {
    const { page, errors } = await openPlayground(browser, `${companion.origin}/playground.html`);
    await page.evaluate(() => window.playground.set("A1", '=FEED.RANKING("2024-01",,1,,,FALSE)'));
    await page.waitForFunction(() => window.playground.get("A1").value === "#N/A");
    await status(page, "Not connected: enter the pairing code in the FEED pane.");
    await openSettings(pane(page));
    const code = await issueShownCode(companion, pane(page));
    await enter(pane(page), WRONG);
    await pane(page).getByText("That is not the pairing code, or it has ended.").waitFor();
    await enter(pane(page), code.toLowerCase());
    await status(page, `Provider: ${new URL(provider.baseUrl).host}`);
    await status(pane(page), CONNECTED);
    await page.waitForFunction(() => window.playground.get("A1").value === 1);
    expect(errors).toEqual([]);
    await page.close();
  });
});
