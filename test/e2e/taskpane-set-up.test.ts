import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from "@jest/globals";
import type { Browser, Page } from "playwright-core";
import { type OnFolder, openFolder, WANTED } from "../companion/set-up-companion";
import { type OfficeHost, type OfficeHostOptions, openOfficeHost } from "../office/browser-host";
import { launchBrowser } from "../support/browser";
import { checkFit } from "../support/page-access";
import { openSettings, waitUntilConnected } from "../support/pane-page";
import { issueShownCode } from "./shown-code";

const WEB = join(__dirname, "../../dist/web");

jest.setTimeout(60_000);

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
