import { afterAll, afterEach, beforeAll, beforeEach, expect, jest } from "@jest/globals";
import type { Browser, Frame, Page } from "playwright-core";
import { type OfficeHost, type OfficeHostOptions, openOfficeHost } from "../office/browser-host";
import { launchBrowser } from "../support/browser";
import { type CompanionStart, type RunningCompanion, startCompanion } from "../support/companion";
import { clearWorkbook, openPlayground, pane, waitForDemo } from "./playground-page";

jest.setTimeout(60_000); // a busy machine may take long to draw a page

/** What all tests of a file share. */
export interface Surroundings {
  browser: Browser;
  companion: RunningCompanion;
}

/** Opens the browser and starts the companion for all tests of a file; each begins with the provider as at first. */
export function createSurroundings(start: CompanionStart = { companies: 100 }): Surroundings {
  const at = {} as Surroundings;
  beforeAll(async () => {
    const [browser, companion] = await Promise.all([launchBrowser(), startCompanion(start)]);
    Object.assign(at, { browser, companion });
  });
  beforeEach(() => at.companion.controls.reset());
  afterAll(async () => {
    await at.browser?.close();
    await at.companion?.close();
  });
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

/**
 * Opens one playground for all tests of a file. No page may have an uncaught error.
 * @param isKept Whether a test finds the workbook as the one before has left it; default an empty one each.
 * @param isDemo Whether to wait for the demo's figures; default false.
 */
export function createPlaygroundPage({
  companies = 100,
  isKept = false,
  isDemo = false,
  ...first
}: PlaygroundOptions & { companies?: number; isKept?: boolean; isDemo?: boolean } = {}): PlaygroundPage {
  const at = createSurroundings({ companies }) as PlaygroundPage;
  const errors: string[][] = [];
  const further: Page[] = [];
  const open = async ({ query = "?lang=en", scheme, script }: PlaygroundOptions = {}) => {
    const opened = await openPlayground(at.browser, `${at.companion.origin}/playground.html${query}`, scheme, script);
    errors.push(opened.errors);
    return opened.page;
  };
  Object.defineProperty(at, "frame", { get: () => pane(at.page) }); // another one after a reload
  at.open = async (options) => {
    const page = await open(options);
    further.push(page);
    return page;
  };
  beforeAll(async () => {
    at.page = await open(first);
    if (isDemo) await waitForDemo(at.page);
  });
  if (!isKept) beforeEach(() => clearWorkbook(at.page));
  afterEach(async () => {
    for (const page of further.splice(0)) await page.context().close();
    expect(errors.flat()).toEqual([]);
  });
  return at;
}

export interface OfficePane extends Surroundings {
  /** The pane that was opened last. */
  host: OfficeHost;
  page: Page;
  /** Opens the pane in Excel, in place of the one before. */
  open(options?: Partial<OfficeHostOptions>): Promise<Page>;
}

/** Lets the tests of a file open the pane in Excel, which closes when the next one opens. It may have no error. */
export function createOfficePane(start?: CompanionStart): OfficePane {
  const at = createSurroundings(start) as OfficePane;
  at.open = async (options = {}) => {
    await at.host?.close();
    at.host = await openOfficeHost(at.browser, { origin: at.companion.origin, ...options });
    at.page = at.host.page;
    return at.page;
  };
  afterEach(() => expect(at.host?.errors ?? []).toEqual([]));
  return at;
}
