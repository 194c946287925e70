import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll } from "@jest/globals";
import type { Browser, Page } from "playwright-core";
import webpack from "webpack";
import type { Workbook } from "../../src/contract/workbook";
import { launchBrowser } from "./browser";
import { ExcelWorkbook, type ExcelWorkbookOptions } from "./excel-workbook";
import { playOffice } from "./office-host";

declare global {
  interface Window {
    /** The module under test. */
    adapter: { createExcelWorkbook(): Workbook };
    workbook: Workbook;
  }
}

/** A page on the genuine Office.js that holds the pane's Excel adapter alone. */
export interface ExcelPage {
  /** The page; there is none before the first test. */
  page(): Page;
  /** Has Excel open a new workbook from now on. */
  open(options?: ExcelWorkbookOptions): ExcelWorkbook;
  /** The adapter, each call made in the page; a rejection comes with its fault and place. */
  workbook: Asked;
}

/** Everything of a workbook that can be asked from outside of the page: functions stay in it. */
export type Asked = Omit<Workbook, "onSelection" | "deliver" | "copyValues">;

type Answer = { value: unknown } | { message: string; fault?: string; place?: object };

const ORIGIN = "https://excel.test";
const PAGE = `<!doctype html><meta charset="utf-8"><title>Excel</title>
<script src="https://appsforoffice.microsoft.com/lib/1/hosted/office.js"></script>`;

/** Bundles the adapter as the pane does, into one script that sets `window.adapter`. */
async function bundleAdapter(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "feed-adapter-"));
  const compiler = webpack({
    mode: "development",
    devtool: false,
    entry: join(__dirname, "../../src/taskpane/workbook.ts"),
    target: ["web", "es2022"],
    resolve: { extensions: [".ts", ".js"] },
    module: { rules: [{ test: /\.ts$/, loader: "swc-loader" }] },
    output: { path: folder, filename: "adapter.js", library: { name: "adapter", type: "window" } },
  });
  try {
    await new Promise<void>((resolve, reject) => {
      compiler?.run((error, stats) => {
        if (error || stats?.hasErrors()) reject(error ?? new Error(stats?.toString("errors-only")));
        else compiler.close(() => resolve());
      });
    });
    return await readFile(join(folder, "adapter.js"), "utf8");
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Opens a page with the adapter. @param search its query, e.g. "?namespace=ACME" */
async function openPage(browser: Browser, search: string) {
  const script = await bundleAdapter();
  const { page, openWorkbook } = await playOffice(browser, { origin: ORIGIN });
  await page.route(`${ORIGIN}/**`, (route) => route.fulfill({ contentType: "text/html", body: PAGE }));
  await page.goto(`${ORIGIN}/${search}`);
  await page.evaluate(() => Office.onReady());
  await page.evaluate(`${script}; window.workbook = window.adapter.createExcelWorkbook();`);
  return { page, openWorkbook };
}

/** Opens Excel before the tests of a file, and closes it after them; each test opens its own workbook. */
export function openExcel(search = ""): ExcelPage {
  let browser: Browser;
  let opened: Awaited<ReturnType<typeof openPage>>;
  beforeAll(async () => {
    browser = await launchBrowser();
    opened = await openPage(browser, search);
  }, 60_000);
  afterAll(() => browser.close());
  return {
    page: () => opened.page,
    open(options) {
      const workbook = new ExcelWorkbook(options);
      opened.openWorkbook(workbook);
      return workbook;
    },
    workbook: createAsked(() => opened.page),
  };
}

/** Errors lose what they carry on their way out of a page, so that they travel as values. */
function createAsked(page: () => Page): Asked {
  const ask = async (name: string, given: unknown[]) => {
    const answer = await page().evaluate(
      async ([method, values]) => {
        try {
          const call = window.workbook[method as keyof Workbook] as (...values: unknown[]) => unknown;
          return { value: await call(...(values as unknown[])) } as Answer;
        } catch (error) {
          return { ...(error as object), message: (error as Error).message } as Answer;
        }
      },
      [name, given] as const,
    );
    if (!("message" in answer)) return answer.value;
    throw Object.assign(new Error(answer.message), answer);
  };
  return new Proxy({} as Asked, {
    get:
      (_, name) =>
      (...given: unknown[]) =>
        ask(String(name), given),
  });
}
