import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { type Browser, chromium, type Page } from "playwright-core";
import { findBrowser } from "./browser-path.mjs";

const ARTEFACTS = join(__dirname, "../../artefacts");

/** The browser under test reaches the companion alone: its own network features are off. */
const ARGUMENTS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/**
 * Starts the browser that `npm test` found.
 * @param more Further command-line arguments; default none.
 * @throws Error if there is none, with the remedy.
 */
export async function launchBrowser(more: readonly string[] = []): Promise<Browser> {
  const executablePath = findBrowser();
  if (!executablePath) throw new Error("No browser found: run `npm test`, which finds or installs one.");
  return chromium.launch({ executablePath, args: [...ARGUMENTS, ...more] });
}

/** Saves a screenshot of the page as artefacts/<name>.png. */
export async function saveScreenshot(page: Page, name: string): Promise<string> {
  mkdirSync(ARTEFACTS, { recursive: true });
  const path = join(ARTEFACTS, `${name}.png`);
  await page.screenshot({ path });
  return path;
}
