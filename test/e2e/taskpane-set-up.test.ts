import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import type { Page } from "playwright-core";
import { type OnFolder, openFolder, WANTED } from "../companion/set-up-companion";
import type { OfficeHostOptions } from "../office/browser-host";
import { checkFit } from "../support/page-access";
import { openSettings, waitForStatus, waitUntilConnected } from "../support/pane-page";
import { issueShownCode } from "./shown-code";
import { createOfficePaneAt } from "./surroundings";

const WEB = join(__dirname, "../../dist/web");

const at = createOfficePaneAt(() => `http://127.0.0.1:${companion.port}`);
const { start } = openFolder();
let companion: OnFolder;

async function open(options: Partial<OfficeHostOptions>): Promise<Page> {
  companion = await start({ webFolder: WEB });
  await at.open(options);
  await waitUntilConnected(at.page);
  await openSettings(at.page);
  return at.page;
}

const focused = (page: Page) => page.evaluate(() => document.activeElement?.textContent);

describe("the provider guide, on the genuine Office.js", () => {
  it("works by keyboard alone, from sample data to the code of the provider's first pairing", async () => {
    const page = await open({ context: { permissions: ["clipboard-read", "clipboard-write"] } });
    const press = async (...keys: string[]) => {
      for (const key of keys) await page.keyboard.press(key);
      return focused(page);
    };
    await page.getByRole("button", { name: "Connect to a provider…" }).focus();
    await press("Enter");
    await page.getByRole("textbox", { name: "Pairing code" }).waitFor();
    await page.keyboard.type(await issueShownCode(companion, page));
    await press("Enter");
    await page.getByRole("button", { name: "Create a key pair" }).waitFor();
    expect(await focused(page)).toBe("Connect to a provider");
    expect(await press("Tab")).toBe("Back to the settings");
    await press("Tab", "Enter");
    await page.getByRole("button", { name: "Copy a text to send" }).waitFor();
    expect(await focused(page)).toBe("Create another one");
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
