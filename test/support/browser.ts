import { type Browser, chromium } from "playwright-core";
import { findBrowser } from "./browser-path.mjs";
import { ARGUMENTS } from "./browser-server.mjs";

/**
 * Opens the browser that the run of the tests shares; its `close` ends this file's pages alone. Outside of the tests,
 * and with arguments of its own, a caller gets a browser of its own.
 * @param more Further command-line arguments; default none.
 * @throws Error if there is no browser, with the remedy.
 */
export async function launchBrowser(more: readonly string[] = []): Promise<Browser> {
  const shared = process.env.TEST_BROWSER;
  if (shared && more.length === 0) return chromium.connect(shared);
  const executablePath = findBrowser();
  if (!executablePath) throw new Error("No browser found: run `npm test`, which finds or installs one.");
  return chromium.launch({ executablePath, args: [...ARGUMENTS, ...more] });
}
