import { readFile } from "node:fs/promises";
import { extname, join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, expect, jest } from "@jest/globals";
import type { Browser, BrowserContext, Frame, Page } from "playwright-core";
import { type OfficeHost, type OfficeHostOptions, openOfficeHost } from "../office/browser-host";
import { launchBrowser } from "../support/browser";
import { type CompanionStart, type RunningCompanion, startCompanion } from "../support/companion";
import { type RunningServer, startServer } from "../support/http-server";
import { clearWorkbook, openPlayground, pane, waitForDemo } from "./playground-page";
import { TOY_BUNDLE } from "./toy-functions";
import toyMetadata from "./toy-functions.json";

jest.setTimeout(60_000); // a busy machine may take long to draw a page

/** An argument of no effect here: a file that copies and pastes has a browser of its own, and so a clipboard. */
export const OWN_CLIPBOARD = "--disable-sync";

/** Opens the browser for all tests of a file, with further arguments of its command line. */
export function createBrowser(...rules: string[]): { browser: Browser } {
  const at = {} as { browser: Browser };
  beforeAll(async () => {
    at.browser = await launchBrowser(rules);
  });
  afterAll(async () => {
    // A script of Office may be on its way.
    for (const context of at.browser?.contexts() ?? []) await context.unrouteAll({ behavior: "ignoreErrors" });
    await at.browser?.close();
  });
  return at;
}

/** What all tests of a file share. */
export interface Surroundings {
  browser: Browser;
  companion: RunningCompanion;
}

/** Opens the browser and starts the companion for all tests of a file; each begins with the provider as at first. */
export function createSurroundings(start: CompanionStart = { companies: 100 }, ...rules: string[]): Surroundings {
  const at = createBrowser(...rules) as Surroundings;
  beforeAll(async () => {
    at.companion = await startCompanion(start);
  });
  beforeEach(() => at.companion.controls.reset());
  afterAll(() => at.companion?.close());
  return at;
}

const WEB = join(__dirname, "../../dist/web");
const TYPES: Record<string, string> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".css": "text/css",
};

/** A provider that is no sample, and small functions of the tests' own. */
const TOY_PAGES: Record<string, string> = {
  "/functions.js": TOY_BUNDLE,
  "/functions.json": JSON.stringify(toyMetadata),
  "/companion/config": JSON.stringify({ sample: false, baseUrl: "https://provider.example/api" }),
};

/**
 * Serves the playground without a companion, with small functions of the tests' own, for all tests of a file.
 * @param answers Replace further files, by path.
 */
export function createToyPages(answers: Record<string, string> = {}): { browser: Browser; origin: string } {
  const at = createBrowser() as ReturnType<typeof createToyPages>;
  let server: RunningServer;
  beforeAll(async () => {
    server = await startServer(async ({ path }) => {
      const body = { ...TOY_PAGES, ...answers }[path] ?? (await readFile(join(WEB, path)).catch(() => null));
      const headers = { "content-type": TYPES[extname(path)] ?? "application/json" };
      return { raw: (response) => void response.writeHead(body === null ? 404 : 200, headers).end(body ?? "") };
    });
    at.origin = server.url;
  });
  afterAll(() => server?.close());
  return at;
}

export interface PlaygroundOptions {
  /** The address's query; default that of an English page. */
  query?: string;
  scheme?: "light" | "dark";
  /** Runs in the page before its own scripts. */
  script?: string;
}

export interface PlaygroundPage extends Surroundings {
  /** The page that all tests share. */
  page: Page;
  /** Its pane. */
  frame: Frame;
  /** Opens a further page, in a browser profile of its own, which closes after the test. */
  open(options?: PlaygroundOptions): Promise<Page>;
}

/** Lets the tests of a file open playgrounds, in a profile of their own or in a context. None may have an uncaught error. */
export function createOpening(readOrigin: () => string) {
  const errors: string[][] = [];
  afterEach(() => expect(errors.flatMap((ofPage) => ofPage.splice(0))).toEqual([]));
  return async (within: Browser | BrowserContext, options: PlaygroundOptions = {}): Promise<Page> => {
    const { query = "?lang=en", scheme, script } = options;
    const opened = await openPlayground(within, `${readOrigin()}/playground.html${query}`, scheme, script);
    errors.push(opened.errors);
    return opened.page;
  };
}

/**
 * Opens one playground for all tests of a file. No page may have an uncaught error.
 * @param isKept Whether a test finds the workbook as the one before has left it; default an empty one each.
 * @param isDemo Whether to wait for the demo's figures; default false.
 * @param rules Further arguments of the browser's command line; default none.
 */
export function createPlaygroundPage({
  companies = 100,
  isKept = false,
  isDemo = false,
  rules = [],
  ...first
}: PlaygroundOptions & {
  companies?: number;
  isKept?: boolean;
  isDemo?: boolean;
  rules?: string[];
} = {}): PlaygroundPage {
  const at = createSurroundings({ companies }, ...rules) as PlaygroundPage;
  const open = createOpening(() => at.companion.origin);
  const further: Page[] = [];
  Object.defineProperty(at, "frame", { get: () => pane(at.page) }); // another one after a reload
  at.open = async (options) => {
    const page = await open(at.browser, options);
    further.push(page);
    return page;
  };
  beforeAll(async () => {
    at.page = await open(at.browser, first);
    if (isDemo) await waitForDemo(at.page);
  });
  if (!isKept) beforeEach(() => clearWorkbook(at.page));
  afterEach(async () => {
    for (const page of further.splice(0)) await page.context().close();
  });
  return at;
}

export interface OfficePane {
  browser: Browser;
  /** The pane that was opened last. */
  host: OfficeHost;
  page: Page;
  /** Opens the pane in Excel, in place of the one before. */
  open(options?: Partial<OfficeHostOptions>): Promise<Page>;
}

/** Lets the tests of a file open the pane in Excel, which closes when the next one opens. It may have no error. */
export function createOfficePane(start?: CompanionStart): OfficePane & Surroundings {
  const at = createSurroundings(start);
  return addPane(at, () => at.companion.origin);
}

/** The same at companions that the tests start. */
export const createOfficePaneAt = (readOrigin: () => string, ...rules: string[]): OfficePane =>
  addPane(createBrowser(...rules), readOrigin);

function addPane<Of extends { browser: Browser }>(of: Of, readOrigin: () => string): Of & OfficePane {
  const at = of as Of & OfficePane;
  at.open = async (options = {}) => {
    await at.host?.close();
    const context = { reducedMotion: "reduce", ...options.context } as const; // nothing waits for an animation's end
    at.host = await openOfficeHost(at.browser, { origin: readOrigin(), ...options, context });
    at.page = at.host.page;
    return at.page;
  };
  afterEach(() => expect(at.host?.errors ?? []).toEqual([]));
  return at;
}
