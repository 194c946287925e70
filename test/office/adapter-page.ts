import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, expect } from "@jest/globals";
import type { Browser, Page } from "playwright-core";
import type { Workbook } from "../../src/contract/workbook";
import { launchBrowser } from "../support/browser";
import { prepareBundle } from "../support/test-bundle.cjs";
import { playOffice } from "./browser-host";
import { ExcelWorkbook, type ExcelWorkbookOptions } from "./workbook";

declare global {
  interface Window {
    adapter: typeof import("./adapter");
    workbook: Workbook;
  }
}

/** The adapter's calls that can be made from outside the page; callbacks cannot cross into it. */
type WorkbookCalls = Omit<Workbook, "onSelection" | "onEdit" | "deliver" | "copyValues" | "addRules">;

type Answer = { value: unknown } | { message: string; fault?: string; place?: object };

const ORIGIN = "https://excel.test";
const PAGE = `<!doctype html><meta charset="utf-8"><title>Excel</title>
<script src="https://appsforoffice.microsoft.com/lib/1/hosted/office.js"></script>`;

const SOURCES = join(__dirname, "../../src");

/** Bundles the adapter as the pane does, into one script that sets `window.adapter`; once for each state of the sources. */
async function bundleAdapter(): Promise<string> {
  const files = (await readdir(SOURCES, { recursive: true })).filter((file) => file.endsWith(".ts")).sort();
  const texts = await Promise.all(files.map(async (file) => `${file}\n${await readFile(join(SOURCES, file), "utf8")}`));
  const bundle = await prepareBundle("adapter.js", texts.join("\n"), () => ({
    mode: "development",
    devtool: false,
    entry: join(__dirname, "adapter.ts"),
    target: ["web", "es2022"],
    resolve: { extensions: [".ts", ".js"] },
    module: {
      rules: [{ test: /\.ts$/, loader: "swc-loader" }],
      parser: { javascript: { dynamicImportMode: "eager" } }, // the page has one script
    },
    output: { library: { name: "adapter", type: "window" } },
  }));
  return readFile(bundle, "utf8");
}

/** Opens a page with the adapter. @param search its query, e.g. "?namespace=ACME" */
async function openPage(browser: Browser, search: string) {
  const script = await bundleAdapter();
  const { page, errors, openWorkbook } = await playOffice(browser, { origin: ORIGIN });
  await page.route(`${ORIGIN}/**`, (route) => route.fulfill({ contentType: "text/html", body: PAGE }));
  await page.goto(`${ORIGIN}/${search}`);
  await page.evaluate(() => Office.onReady());
  await page.evaluate(`${script}; window.workbook = window.adapter.createExcelWorkbook();`);
  return { page, errors, openWorkbook };
}

/**
 * Opens Excel before the tests of a file, and closes it after them; each test opens its own workbook. The page may have
 * no uncaught error, and the emulation no fault.
 */
export function openExcel(search = "") {
  let browser: Browser;
  let opened: Awaited<ReturnType<typeof openPage>>;
  beforeAll(async () => {
    browser = await launchBrowser();
    opened = await openPage(browser, search);
  }, 60_000);
  afterEach(() => expect(opened.errors.splice(0)).toEqual([]));
  afterAll(() => browser.close());
  return {
    /** The page; undefined before the first test. */
    page: () => opened.page,
    /** Replaces the open workbook by a new one. */
    open(options?: ExcelWorkbookOptions): ExcelWorkbook {
      const workbook = new ExcelWorkbook(options);
      opened.openWorkbook(workbook);
      return workbook;
    },
    /** The adapter; each call runs in the page, and a rejection carries its fault and place. */
    workbook: createWorkbookCalls(() => opened.page),
  };
}

/** Playwright drops the properties of a thrown error, so errors leave the page as values. */
function createWorkbookCalls(page: () => Page): WorkbookCalls {
  const call = async (name: string, given: unknown[]) => {
    const answer = await page().evaluate(
      async ([method, values]) => {
        try {
          const run = window.workbook[method as keyof Workbook] as (...values: unknown[]) => unknown;
          return { value: await run(...(values as unknown[])) } as Answer;
        } catch (error) {
          return { ...(error as object), message: (error as Error).message } as Answer;
        }
      },
      [name, given] as const,
    );
    if (!("message" in answer)) return answer.value;
    throw Object.assign(new Error(answer.message), answer);
  };
  return new Proxy({} as WorkbookCalls, {
    get:
      (_, name) =>
      (...given: unknown[]) =>
        call(String(name), given),
  });
}
