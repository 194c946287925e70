import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { PAIRING_STORAGE_KEY } from "../../src/contract/companion-api";
import { toOutcome } from "../office/deliveries";
import { type RunningCompanion, startCompanion } from "../support/companion";
import { checkFit } from "../support/page-access";
import { CONNECTED, enterCode, openSettings, waitForStatus } from "../support/pane-page";
import { type RunningProvider, startSandbox } from "../support/provider";
import { openPlayground, pane, waitFor } from "./playground-page";
import { issueShownCode } from "./shown-code";
import { createOfficePaneAt } from "./surroundings";

const WRONG = "AAAA-AAAA";
const WRONG_CODE = "That is not the pairing code, or it has ended.";
const UNKNOWN = "The companion does not know this pane yet";
const JANUARY = [[["2024-01"]], null, [[1]], null, null, [[false]]];
const NOT_PAIRED = {
  error: { code: "#N/A", message: expect.stringContaining("enter the pairing code in the FEED pane") },
};
const RANKED = { value: [expect.arrayContaining([1, expect.any(String)])] };

let provider: RunningProvider;
let companion: RunningCompanion;

const at = createOfficePaneAt(() => companion.origin);
beforeAll(async () => {
  provider = await startSandbox({ companies: 20 });
});
afterAll(() => provider.close());

async function start(): Promise<void> {
  companion = await startCompanion({ provider });
}

async function end(): Promise<void> {
  await at.host?.close();
  await companion.close();
}

const nextValue = async (cell: number) => toOutcome(await at.host.next(cell));
const field = () => at.page.getByRole("textbox", { name: "Pairing code" });
const focused = () => at.page.evaluate(() => document.activeElement?.textContent);
const enterShownCode = async () => enterCode(at.page, await issueShownCode(companion, at.page));

describe("the pane at a companion it is not paired with", () => {
  beforeEach(start);
  afterEach(end);

  it("asks for the code, accepts it as it is typed, and connects automatically from then on", async () => {
    const page = await at.open();
    await page.getByText("FEED is not connected: the companion does not know this pane yet.").waitFor();
    await page.getByRole("button", { name: "Connect…" }).click();
    await waitForStatus(page, UNKNOWN);
    const cell = at.host.call("RANKING", JANUARY);
    expect(await nextValue(cell)).toMatchObject(NOT_PAIRED);
    const code = await issueShownCode(companion, page);
    await enterCode(page, WRONG);
    await page.getByText(WRONG_CODE).waitFor();
    expect(await field().evaluate((element) => element === document.activeElement)).toBe(true);
    await enterCode(page, ` ${code.toLowerCase().replace("-", " ")} `);
    await waitForStatus(page, CONNECTED);
    expect([await focused(), await field().count()]).toEqual(["Connect again", 0]);
    expect(await nextValue(cell)).toEqual(RANKED);
    await page.reload();
    await waitForStatus(page, CONNECTED);
    expect(await companion.pairings.list()).toHaveLength(1);
  });

  it("connects when another window of the origin is paired", async () => {
    const page = await at.open();
    await page.getByText("FEED is not connected: the companion does not know this pane yet.").waitFor();
    const other = await page.context().newPage();
    await other.goto(`${companion.origin}/playground.html`);
    await other.evaluate(() => window.playground.ready);
    await other.getByRole("button", { name: "FEED pane" }).click(); // as narrow as the other page, so it is hidden at first
    await openSettings(pane(other));
    await enterCode(pane(other), await issueShownCode(companion, pane(other)));
    await waitForStatus(page, CONNECTED);
  });

  it("fits 320 and 450 pixels and is accessible, in Japanese and dark", async () => {
    const page = await at.open({ theme: "dark", language: "ja-JP" });
    await openSettings(page);
    await page.getByRole("textbox", { name: "ペアリングコード" }).waitFor();
    await checkFit(page, 320, 450);
    await enterCode(page, "ABCD");
    await page.getByText("ABCD-EFGH").last().waitFor();
    await checkFit(page, 320, 450);
    await enterShownCode();
    await waitForStatus(page, CONNECTED);
    await page.locator("dl").last().scrollIntoViewIfNeeded();
    await checkFit(page, 320, 450);
  });
});

describe("the pane at a companion it is paired with", () => {
  beforeAll(async () => {
    await start();
    await at.open();
    await openSettings(at.page);
    await enterShownCode();
    await waitForStatus(at.page, CONNECTED);
  });
  afterAll(end);

  it("asks for a code when the pairing has ended, and cells say so until there is a new one", async () => {
    await companion.pairings.revoke();
    const cell = at.host.call("RANKING", JANUARY);
    expect(await nextValue(cell)).toMatchObject(NOT_PAIRED);
    await waitForStatus(at.page, UNKNOWN);
    await enterShownCode();
    expect(await nextValue(cell)).toEqual(RANKED);
  });

  it("ends its pairing by a button, and needs a code to connect again", async () => {
    await at.page.locator("summary", { hasText: "Connection" }).click();
    await at.page.getByRole("button", { name: "Unpair" }).click();
    await waitForStatus(at.page, "Disconnected.");
    const bearer = await at.page.evaluate((key) => localStorage.getItem(key), PAIRING_STORAGE_KEY);
    expect([bearer, await companion.pairings.list()]).toEqual([null, []]);
    expect(await focused()).toBe("Connect");
    await at.page.keyboard.press("Enter");
    await field().waitFor();
  });
});

describe("the playground at a companion it is not paired with", () => {
  beforeAll(start);
  afterAll(end);

  it("says why it has no data, and reads the provider once its pane has the code", async () => {
    const { page, errors } = await openPlayground(at.browser, `${companion.origin}/playground.html`);
    await page.evaluate(() => window.playground.set("A1", '=FEED.RANKING("2024-01",,1,,,FALSE)'));
    await waitFor(page, "A1", "#N/A");
    await waitForStatus(page, "Not connected: enter the pairing code in the FEED pane.");
    await openSettings(pane(page));
    const code = await issueShownCode(companion, pane(page));
    await enterCode(pane(page), WRONG);
    await pane(page).getByText(WRONG_CODE).waitFor();
    await enterCode(pane(page), code.toLowerCase());
    await waitForStatus(page, `Provider: ${new URL(provider.baseUrl).host}`);
    await waitForStatus(pane(page), CONNECTED);
    await waitFor(page, "A1", 1);
    expect(errors).toEqual([]);
    await page.close();
  });
});
