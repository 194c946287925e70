import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { createRoot } from "./excel-objects";
import { RequestReader, type WorkbookRequest } from "./excel-requests";
import { ExcelWorkbook } from "./excel-workbook";
import { installBridge, type NestedHost } from "./nested-host";
import { type CallOptions, createHostSide, type HostSide } from "./office-bridge";
import { createDeliveryLog, type Delivery, type DeliveryLog } from "./office-deliveries";
import { createExternal, type HostFacts } from "./office-external";

export interface OfficeHostOptions {
  /** Origin of the companion that serves the pane. */
  origin: string;
  /** Display language; default English. */
  language?: "en-US" | "ja-JP";
  /** Default light. */
  theme?: keyof typeof THEMES;
  /** What Excel has open; default a new workbook. */
  workbook?: ExcelWorkbook;
  /** The first year of a new workbook's date serials; default 1900. */
  dateSystem?: 1900 | 1904;
  /** Version of the requirement set ExcelApi; default 1.20. */
  excelApi?: string;
  /** What the workbook keeps for the add-in; null refuses to keep anything. Default an empty place. */
  settings?: Record<string, string> | null;
  /** What gives tokens of the person's account; default an Excel that does not. */
  nested?: NestedHost;
  /** Size of the pane, device pixels and the like. */
  context?: BrowserContextOptions;
}

/** The pane open in a browser that plays desktop Excel, on the genuine Office.js. */
export interface OfficeHost {
  page: Page;
  /** What the page threw, and what its content security policy refused. */
  errors: string[];
  /** Addresses beyond the companion that the page asked for. */
  foreign: string[];
  /** What Excel has open. */
  workbook: ExcelWorkbook;
  /** Workbook functions that were called, by name. */
  computed: readonly string[];
  /** Types a streaming formula into a cell. */
  call(functionName: string, parameters: unknown[], options?: CallOptions): number;
  /** The oldest result of the invocation that `next` has not handed out yet, as soon as it is there. */
  next(invocationId: number): Promise<Delivery>;
  results(invocationId: number): readonly Delivery[];
  /** From now on Office shows itself so. */
  changeTheme(theme: keyof typeof THEMES): Promise<void>;
  close(): Promise<void>;
}

const OFFICE = "https://appsforoffice.microsoft.com/lib/1/hosted/";
const DIST = join(__dirname, "../../node_modules/@microsoft/office-js/dist");
const THEMES = {
  light: { bodyBackgroundColor: 0xf3f2f1, bodyForegroundColor: 0x252423, isDarkTheme: 0 },
  dark: { bodyBackgroundColor: 0x252423, bodyForegroundColor: 0xffffff, isDarkTheme: 1 },
};
const REQUIREMENT_SETS = {
  customfunctions: "1.9",
  customfunctionsruntime: "1.5",
  sharedruntime: "1.2",
  delayforcelledit: "1.1",
};

/** Office.js's flag of a request that may wait. */
const DELAY_FOR_CELL_EDIT = 64;

/** Office.js's numbers for how saving settings ended. */
const SUCCESS = 0;
const SETTINGS_CANNOT_BE_SAVED = 4001;

/** Excel around a page that is not open yet. */
export interface PlayedOffice extends Pick<OfficeHost, "page" | "errors" | "foreign" | "workbook"> {
  log: DeliveryLog;
  host: HostSide;
  /** Has Excel open another workbook from now on. */
  openWorkbook(workbook: ExcelWorkbook): void;
}

/** Opens the pane as Excel would. */
export async function openOfficeHost(browser: Browser, options: OfficeHostOptions): Promise<OfficeHost> {
  const { log, host, page, ...played } = await playOffice(browser, options);
  await page.goto(`${options.origin}/taskpane.html`);
  await log.ready;
  return {
    page,
    ...played,
    computed: played.workbook.computed,
    call: (functionName, parameters, rest) =>
      host.callMany([{ stream: true, cancelable: true, ...rest, functionName, parameters }])[0]!,
    next: log.next,
    results: log.results,
    changeTheme: (name) => page.evaluate((colours) => window.changeTheme(colours), THEMES[name]),
    close: () => page.context().close(),
  };
}

/** Makes an empty page in which Office.js will find desktop Excel. */
export async function playOffice(browser: Browser, options: OfficeHostOptions): Promise<PlayedOffice> {
  const { origin, dateSystem, workbook = new ExcelWorkbook({ dateSystem }), settings = {} } = options;
  const context = await browser.newContext({ viewport: { width: 320, height: 720 }, ...options.context });
  const page = await context.newPage();
  page.setDefaultTimeout(10_000);
  const errors = await collectErrors(page);
  const foreign = await routeOffice(page, origin);
  const log = createDeliveryLog();
  const post = (text: string) =>
    page.evaluate((message) => window._richApiNativeBridge.onMessageFromHost?.(message), text);
  const opened = createOpened(() => host.notifySelection());
  const host = createHostSide({ log, post, answerWorkbook: opened.answer });
  opened.open(workbook);
  await page.exposeFunction("askHost", async (text: string) => {
    if (waitsForEdit(text)) await opened.editEnded();
    return host.answer(text);
  });
  await page.exposeFunction("keepSettings", (kept: Record<string, string>) => {
    if (settings === null) return SETTINGS_CANNOT_BE_SAVED;
    Object.assign(settings, kept);
    return SUCCESS;
  });
  if (options.nested !== undefined) {
    await page.exposeFunction("askOffice", options.nested.answer);
    await page.addInitScript(installBridge);
  }
  await page.addInitScript({ content: `(${installHost})(${createExternal}, ${JSON.stringify(toFacts(options))})` });
  return { page, errors, foreign, workbook, log, host, openWorkbook: opened.open };
}

/** The workbook that a page has to do with, which may become another one. */
function createOpened(tellSelection: () => Promise<void>) {
  let workbook: ExcelWorkbook;
  let reader: RequestReader;
  return {
    open(other: ExcelWorkbook) {
      workbook = other;
      reader = new RequestReader(createRoot(other), other);
      other.onSelect(tellSelection);
    },
    answer: (request: WorkbookRequest) => reader.answer(request),
    editEnded: () => workbook.editEnded,
  };
}

function toFacts(options: OfficeHostOptions): HostFacts {
  const { language = "en-US", theme = "light", excelApi = "1.20", settings, nested } = options;
  return {
    hostInfo: `Excel$Win32$16.01$${language}$correlation$$$3`,
    language,
    theme: THEMES[theme],
    requirementSets: { ...REQUIREMENT_SETS, excelapi: excelApi, ...(nested && { nestedappauth: "1.1" }) },
    settings: settings ?? {},
  };
}

/** Whether a request may wait until no cell is being edited; all others are refused meanwhile. */
function waitsForEdit(text: string): boolean {
  const { flags = 0 } = JSON.parse(text) as { flags?: number };
  return (flags & DELAY_FOR_CELL_EDIT) !== 0;
}

declare global {
  interface Window {
    _richApiNativeBridge: {
      onMessageFromHost: ((text: string) => void) | null;
      sendMessageToHost(text: string): void;
    };
    askHost(text: string): Promise<string>;
    keepSettings(kept: Record<string, string>): Promise<number>;
    changeTheme(colours: HostFacts["theme"]): void;
  }
}

/** Runs in the page, ahead of Office.js, and refers to nothing around it. */
function installHost(create: typeof createExternal, facts: HostFacts): void {
  const bridge: Window["_richApiNativeBridge"] = {
    onMessageFromHost: null,
    sendMessageToHost: (text) => void window.askHost(text).then((answer) => bridge.onMessageFromHost?.(answer)),
  };
  window._richApiNativeBridge = bridge;
  const external = create(facts);
  window.changeTheme = (theme) => {
    external.GetContext().GetOfficeThemeInfo = () => JSON.stringify(theme);
  };
  const place = external.GetContext().GetSettings?.() as object;
  Object.assign(place, {
    WriteAsync: (names: string[], values: string[], done: (status: number) => void) =>
      void window.keepSettings(Object.fromEntries(names.map((name, index) => [name, values[index] ?? ""]))).then(done),
  });
  Object.defineProperty(window, "external", { value: external });
}

async function collectErrors(page: Page): Promise<string[]> {
  const errors: string[] = [];
  page.on("pageerror", (error) => errors.push(error.message));
  await page.exposeFunction("tellViolation", (violation: string) => errors.push(violation));
  await page.addInitScript(() => {
    document.addEventListener("securitypolicyviolation", ({ disposition, violatedDirective, blockedURI, sample }) => {
      if (disposition === "report") return; // nothing was refused
      const { tellViolation } = window as unknown as { tellViolation(text: string): void };
      tellViolation(`${violatedDirective} ${blockedURI} ${sample}`);
    });
  });
  return errors;
}

/** Answers for Microsoft's servers from the package, and for nobody else. */
export async function routeOffice(page: Page, origin: string): Promise<string[]> {
  const foreign: string[] = [];
  // Of the whole context, since the worker that keeps pages asks as well.
  await page.context().route("**/*", (route) => {
    const address = route.request().url();
    if (address.startsWith(origin)) return route.continue();
    foreign.push(address);
    const path = join(
      DIST,
      address.startsWith(OFFICE) ? new URL(address.slice(OFFICE.length), "file:///").pathname : "-",
    );
    return existsSync(path) ? route.fulfill({ path }) : route.abort();
  });
  return foreign;
}
