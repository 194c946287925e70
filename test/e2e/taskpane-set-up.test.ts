import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "@jest/globals";
import type { Browser, Page } from "playwright-core";
import { type OnFolder, openFolder, WANTED } from "../companion/set-up-companion";
import { type OfficeHost, type OfficeHostOptions, openOfficeHost } from "../office/browser-host";
import { launchBrowser, saveScreenshot } from "../support/browser";
import { checkAccess } from "../support/page-access";
import { openSettings, waitUntilConnected } from "../support/pane-page";
import { issueShownCode } from "./shown-code";

const WEB = join(__dirname, "../../dist/web");

const { start } = openFolder();
let browser: Browser;
let companion: OnFolder;
let host: OfficeHost;

beforeAll(async () => {
  browser = await launchBrowser();
});
afterEach(() => host.close());
afterAll(() => browser.close());

async function open(options: Partial<OfficeHostOptions> = {}): Promise<Page> {
  companion = await start({ webFolder: WEB });
  host = await openOfficeHost(browser, { origin: `http://127.0.0.1:${companion.port}`, ...options });
  await waitUntilConnected(host.page);
  await openSettings(host.page);
  return host.page;
}

/** Takes a screenshot of the whole pane after checking its fit and accessibility. */
async function look(page: Page, name: string): Promise<void> {
  await page.setViewportSize({ width: 320, height: 1200 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
  await checkAccess(page);
  await saveScreenshot(page, name);
}

const focused = (page: Page) => page.evaluate(() => document.activeElement?.textContent);

describe("the provider guide, on the genuine Office.js", () => {
  it("works by keyboard alone, from sample data to the code of the provider's first pairing", async () => {
    const page = await open({ context: { permissions: ["clipboard-read", "clipboard-write"] } });
    await page.getByRole("button", { name: "Connect to a provider…" }).focus();
    await page.keyboard.press("Enter");
    await page.getByRole("textbox", { name: "Pairing code" }).waitFor();
    await page.keyboard.type(await issueShownCode(companion, page));
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Create a key pair" }).waitFor();
    expect(await focused(page)).toBe("Connect to a provider");
    await page.keyboard.press("Tab");
    expect(await focused(page)).toBe("Back to the settings");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Copy a text to send" }).waitFor();
    expect(await focused(page)).toBe("Create another one");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await page.getByRole("status").filter({ hasText: "Copied." }).waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toContain("-----BEGIN PUBLIC KEY-----");
    await page.getByRole("textbox", { name: "Base URL" }).focus();
    for (const text of Object.values(WANTED)) {
      await page.keyboard.type(text);
      await page.keyboard.press("Tab");
    }
    await page.keyboard.press("Enter");
    await page.getByRole("status").filter({ hasText: "The companion does not know this pane yet" }).waitFor();
    const code = page.getByRole("textbox", { name: "Pairing code" });
    await code.waitFor();
    expect(await code.evaluate((field) => field === document.activeElement)).toBe(true);
    expect(host.errors).toEqual([]);
  });

  const english = {
    begin: "Connect to a provider…",
    code: "Pairing code",
    create: "Create a key pair",
    copy: "Copy the key alone (PEM)",
    save: "Save and connect",
  };
  const japanese = {
    begin: "データ提供元に接続…",
    code: "ペアリングコード",
    create: "鍵ペアを作成",
    copy: "公開鍵だけをコピー (PEM)",
    save: "保存して接続",
  };
  it.each([
    ["light", { theme: "light", language: "en-US" }, english],
    ["dark", { theme: "dark", language: "en-US" }, english],
    ["ja", { theme: "light", language: "ja-JP" }, japanese],
  ] as const)("fits 320 pixels at each stage and is accessible: %s", async (name, options, words) => {
    const page = await open(options);
    await page.getByRole("button", { name: words.begin }).click();
    const code = page.getByRole("textbox", { name: words.code });
    await code.waitFor();
    await look(page, `taskpane-set-up-pair-${name}`);
    await code.fill(await issueShownCode(companion, page));
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: words.create }).click();
    await page.evaluate(() => {
      navigator.clipboard.writeText = () => Promise.reject(new DOMException("denied", "NotAllowedError"));
    });
    await page.getByRole("button", { name: words.copy }).click();
    await page.getByRole("textbox", { name: /Ctrl\+C/ }).waitFor();
    await page.getByRole("button", { name: words.save }).click();
    await page.getByRole("alert").first().waitFor();
    await look(page, `taskpane-set-up-enter-${name}`);
  });
});
