/** The browser that all files of a run of the tests share; each opens contexts of its own in it. */
import { chromium } from "playwright-core";
import { findBrowser } from "./browser-path.mjs";

/** The browser under test reaches the companion alone: its own network features are off. */
export const ARGUMENTS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** Nothing if there is no browser: most tests need none. */
export async function startBrowserServer() {
  const executablePath = findBrowser();
  return executablePath === undefined ? undefined : chromium.launchServer({ executablePath, args: ARGUMENTS });
}
