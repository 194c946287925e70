import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import type { Page } from "playwright-core";
import { type OnFolder, openFolder, WANTED } from "../companion/set-up-companion";
import type { OfficeHostOptions } from "../office/browser-host";
import { toOutcome } from "../office/deliveries";
import { type RunningCompanion, startCompanion } from "../support/companion";
import { checkFit } from "../support/page-access";
import { CONNECTED, enterCode, openSettings, waitForStatus, waitUntilConnected } from "../support/pane-page";
import { type RunningProvider, startSandbox } from "../support/provider";
import { openPlayground, pane, waitFor } from "./playground-page";
import { issueShownCode } from "./shown-code";
import { createOfficePaneAt, OWN_CLIPBOARD } from "./surroundings";

const WEB = join(__dirname, "../../dist/web");
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
  companion = await startCompanion({ provider });
});
afterAll(async () => {
  await at.host?.close();
  await companion.close();
  await provider.close();
});

const nextValue = async (cell: number) => toOutcome(await at.host.next(cell));
const field = () => at.page.getByRole("textbox", { name: "Pairing code" });
const focused = () => at.page.evaluate(() => document.activeElement?.textContent);
const enterShownCode = async () => enterCode(at.page, await issueShownCode(companion, at.page));

describe("the pane at a companion it is not paired with", () => {
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

it("the pane asks for a code when the pairing has ended, and cells say so until there is a new one", async () => {
  await at.open();
  await openSettings(at.page);
  await enterShownCode();
  await waitForStatus(at.page, CONNECTED);
  await companion.pairings.revoke();
  const cell = at.host.call("RANKING", JANUARY);
  expect(await nextValue(cell)).toMatchObject(NOT_PAIRED);
  await waitForStatus(at.page, UNKNOWN);
  await enterShownCode();
  expect(await nextValue(cell)).toEqual(RANKED);
});

it("the playground at a companion it is not paired with says why it has no data, and reads the provider once its pane has the code", async () => {
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

describe("the provider guide, on the genuine Office.js", () => {
  const at = createOfficePaneAt(() => `http://127.0.0.1:${companion.port}`, OWN_CLIPBOARD);
  const { start } = openFolder();
  let companion: OnFolder;
  const focused = () => at.page.evaluate(() => document.activeElement?.textContent);

  async function open(options: Partial<OfficeHostOptions>): Promise<Page> {
    companion = await start({ webFolder: WEB });
    await at.open(options);
    await waitUntilConnected(at.page);
    await openSettings(at.page);
    return at.page;
  }

  it("works by keyboard alone, from sample data to the code of the provider's first pairing", async () => {
    const page = await open({ context: { permissions: ["clipboard-read", "clipboard-write"] } });
    const press = async (...keys: string[]) => {
      for (const key of keys) await page.keyboard.press(key);
      return focused();
    };
    await page.getByRole("button", { name: "Connect to a provider…" }).focus();
    await press("Enter");
    await page.getByRole("textbox", { name: "Pairing code" }).waitFor();
    await page.keyboard.type(await issueShownCode(companion, page));
    await press("Enter");
    await page.getByRole("button", { name: "Create a key pair" }).waitFor();
    expect(await focused()).toBe("Connect to a provider");
    expect(await press("Tab")).toBe("Back to the settings");
    await press("Tab", "Enter");
    await page.getByRole("button", { name: "Copy a text to send" }).waitFor();
    expect(await focused()).toBe("Create another one");
    await press("Tab", "Enter");
    await waitForStatus(page, "Copied.");
    expect(await page.evaluate(() => navigator.clipboard.readText())).toContain("-----BEGIN PUBLIC KEY-----");
    await page.getByRole("textbox", { name: "Base URL" }).focus();
    for (const text of Object.values(WANTED)) {
      await page.keyboard.type(text);
      await press("Tab");
    }
    await press("Enter");
    await waitForStatus(page, "The companion does not know this pane yet");
    const code = page.getByRole("textbox", { name: "Pairing code" });
    await code.waitFor();
    expect(await code.evaluate((field) => field === document.activeElement)).toBe(true);
  });

  it("fits 320 pixels at each stage and is accessible, in Japanese and dark", async () => {
    const page = await open({ theme: "dark", language: "ja-JP" });
    await page.getByRole("button", { name: "データ提供元に接続…" }).click();
    const code = page.getByRole("textbox", { name: "ペアリングコード" });
    await code.waitFor();
    await checkFit(page, 320);
    await code.fill(await issueShownCode(companion, page));
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "鍵ペアを作成" }).click();
    await page.evaluate(() => {
      navigator.clipboard.writeText = () => Promise.reject(new DOMException("denied", "NotAllowedError"));
    });
    await page.getByRole("button", { name: "公開鍵だけをコピー (PEM)" }).click();
    await page.getByRole("textbox", { name: /Ctrl\+C/ }).waitFor();
    await page.getByRole("button", { name: "保存して接続" }).click();
    await page.getByRole("alert").first().waitFor();
    await checkFit(page, 320);
  });
});
