import { cpSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { type RunningCompanion, startCompanion } from "../support/companion";
import { until } from "../support/until";

const WEB = join(__dirname, "../../dist/web");

/** Starts the companion on a copy of the built pages, which a test may change. */
export async function startOnCopy(): Promise<{ companion: RunningCompanion; folder: string }> {
  const folder = mkdtempSync(join(tmpdir(), "feed-web-"));
  cpSync(WEB, folder, { recursive: true });
  return { companion: await startCompanion({ companies: 100, webFolder: folder }), folder };
}

/** Waits until every file loaded by the page and its frames is cached. */
export async function waitUntilPersisted(page: Page): Promise<void> {
  await page.evaluate(async () => void (await navigator.serviceWorker.ready)); // the last one, after all files
  const loaded = await Promise.all(
    page
      .frames()
      .map((frame) =>
        frame.evaluate(() => [location.href, ...performance.getEntriesByType("resource").map(({ name }) => name)]),
      ),
  );
  const files = loaded
    .flat()
    .map((address) => address.replace(/\?.*/, ""))
    .filter((address) => !/^http:\/\/[^/]+\/(companion|sandbox|favicon\.ico)/.test(address));
  for (const file of files) await untilPersisted(page, file);
}

/** Waits until a file with a part of its text is cached. */
export const untilPersisted = (page: Page, file: string, part = ""): Promise<void> =>
  until(() =>
    page.evaluate(
      async ([address, wanted]) => {
        const cached = await caches.match(address);
        return cached !== undefined && (wanted === "" || (await cached.text()).includes(wanted));
      },
      [file, part] as const,
    ),
  );

/** Lists the addresses in a cache. */
export const listPersisted = (page: Page): Promise<string[]> =>
  page.evaluate(async () => {
    const names = await caches.keys();
    const persisted = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()));
    return persisted.flat().map(({ url }) => url);
  });
