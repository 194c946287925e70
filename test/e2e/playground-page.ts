import { readFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join } from "node:path";
import type { Browser, Page } from "playwright-core";

const WEB = join(__dirname, "../../dist/web");
const TYPES: Record<string, string> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".json": "application/json",
  ".png": "image/png",
};

/** Answers that stand in the place of built files, by path; null is a file that is not there. */
export type Answers = Record<string, string | null>;

/** Serves the built pages with some answers replaced; stands where the companion would. */
export async function servePages(answers: Answers): Promise<{ origin: string; close(): Promise<void> }> {
  const server: Server = createServer(async ({ url }, response) => {
    const path = new URL(url ?? "/", "http://host").pathname;
    const body = path in answers ? answers[path] : await readFile(join(WEB, path)).catch(() => null);
    response.setHeader("content-type", TYPES[extname(path)] ?? "application/json");
    response.statusCode = body == null ? 404 : 200;
    response.end(body ?? "");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const close = () => new Promise<void>((resolve) => void server.close(() => resolve()));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.closeAllConnections();
      return close();
    },
  };
}

/** Opens the playground and waits until it is ready; what the page throws ends the test that looks at it. */
export async function openPlayground(
  browser: Browser,
  address: string,
  colorScheme: "light" | "dark" = "light",
): Promise<{ page: Page; errors: string[] }> {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 }, colorScheme });
  page.setDefaultTimeout(10_000);
  const errors: string[] = [];
  page.on("pageerror", (error) => errors.push(error.message));
  await page.goto(address);
  await page.evaluate(() => window.playground.ready);
  return { page, errors };
}
