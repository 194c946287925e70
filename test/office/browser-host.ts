import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Browser, BrowserContextOptions, Frame, Page } from "playwright-core";
import { type CallOptions, createHostSide } from "./bridge";
import { createClosedPane } from "./closed-pane";
import { createDeliveryLog } from "./deliveries";
import { createExternal, type HostFacts, type RequirementSets } from "./external";
import constants from "./external-facts.json";
import { installBridge, type NestedAppAuth } from "./nested-app-auth";
import { createRoot } from "./objects";
import { RequestReader, type WorkbookRequest } from "./requests";
import { ExcelWorkbook } from "./workbook";

export interface OfficeHostOptions {
  origin: string;
  /** Display language; default English. */
  language?: "en-US" | "ja-JP";
  /** Default light. */
  theme?: keyof typeof THEMES;
  /** The open workbook; default a new one. */
  workbook?: ExcelWorkbook;
  /** The first year of a new workbook's date serials; default 1900. */
  dateSystem?: 1900 | 1904;
  /** Versions of requirement sets that differ from a current Excel's, by lower-case name. */
  requirementSets?: RequirementSets;
  /** The person's keys by action; default none. */
  shortcuts?: Readonly<Record<string, string | null>>;
  /** The workbook's document settings; null refuses to save. Default none. */
  settings?: Record<string, string> | null;
  /** Nested app authentication; default not supported. */
  nested?: NestedAppAuth;
  /** Whether the pane is closed at first, as where a workbook with formulas has just been opened. Default false. */
  isClosed?: boolean;
  /** Size of the pane, device pixels and the like. */
  context?: BrowserContextOptions;
}

/** The pane in a browser that emulates desktop Excel around the genuine Office.js. */
export type OfficeHost = Awaited<ReturnType<typeof openOfficeHost>>;

const PANE = "/taskpane.html";
const OFFICE = "https://appsforoffice.microsoft.com/lib/1/hosted/";
const DIST = join(__dirname, "../../node_modules/@microsoft/office-js/dist");
const THEMES = {
  light: { bodyBackgroundColor: 0xf3f2f1, bodyForegroundColor: 0x252423, isDarkTheme: 0 },
  dark: { bodyBackgroundColor: 0x252423, bodyForegroundColor: 0xffffff, isDarkTheme: 1 },
};
const REQUIREMENT_SETS = {
  excelapi: "1.20",
  customfunctions: "1.9",
  customfunctionsruntime: "1.5",
  sharedruntime: "1.2",
  delayforcelledit: "1.1",
};

/** Office.js's flag of a request that waits while a cell is edited. */
const DELAY_FOR_CELL_EDIT = 64;

/** Office.js's result codes of saving settings. */
const SUCCESS = 0;
const SETTINGS_CANNOT_BE_SAVED = 4001;

export type PlayedOffice = Awaited<ReturnType<typeof playOffice>>;

/** Opens the pane and waits until its functions are ready. */
export async function openOfficeHost(browser: Browser, options: OfficeHostOptions) {
  const { log, host, page, closed, ...played } = await playOffice(browser, options);
  await (options.isClosed ? closed.open() : page.goto(`${options.origin}${PANE}`));
  await log.ready;
  return {
    page,
    /** The add-in's page: the page's only frame unless the pane was closed at first. */
    frame: findAddIn(page),
    ...played,
    /** Names of the workbook functions that were called. */
    computed: played.workbook.computed as readonly string[],
    /** Names of the actions that the add-in sent. */
    actions: () => log.messagesSent.flat().map(({ name }) => name),
    /** Calls a streaming function, as a formula typed into a cell does. */
    call: (functionName: string, parameters: unknown[], rest?: CallOptions): number =>
      host.callMany([{ stream: true, cancelable: true, ...rest, functionName, parameters }])[0]!,
    cancel: host.cancel,
    next: log.next,
    results: log.results,
    /** The pane if it was closed at first. */
    closed,
    pressShortcut: host.pressShortcut,
    changeTheme: (name: keyof typeof THEMES): Promise<void> =>
      page.evaluate((colours) => window.changeTheme(colours), THEMES[name]),
    async close(): Promise<void> {
      if (page.isClosed()) return;
      await page.context().unrouteAll({ behavior: "ignoreErrors" }); // a script may be on its way
      await page.context().close();
    },
  };
}

/** Creates an empty page in which Office.js finds desktop Excel; it has no address yet. */
export async function playOffice(browser: Browser, options: OfficeHostOptions) {
  const { origin, dateSystem, workbook = new ExcelWorkbook({ dateSystem }), settings = {} } = options;
  const context = await browser.newContext({ viewport: { width: 320, height: 720 }, ...options.context });
  const page = await context.newPage();
  page.setDefaultTimeout(15_000);
  const errors = await collectErrors(page);
  const foreign = await routeOffice(page, origin);
  const log = createDeliveryLog();
  const fail = (error: unknown) => void errors.push(String(error));
  const post = async (text: string) => {
    const receive = (message: string) => window._richApiNativeBridge.onMessageFromHost?.(message);
    await findAddIn(page).evaluate(receive, text).catch(throwUnlessGone);
  };
  const opened = createOpened({ selection: () => host.notifySelection(), edit: () => host.notifyEdit() });
  const onPaneWanted = (isOpen: boolean) => {
    if (options.isClosed) (isOpen ? closed.show() : closed.hide()).catch(fail);
  };
  const { shortcuts } = options;
  const host = createHostSide({ log, fail, post, answerWorkbook: opened.answer, onPaneWanted, shortcuts });
  const closed = createClosedPane(page, host, `${origin}${PANE}`);
  opened.open(workbook);
  await page.exposeFunction("sendToHost", async (text: string) => {
    if (waitsForEdit(text)) await opened.editEnded();
    return host.answer(text);
  });
  await page.exposeFunction("saveSettings", (saved: Record<string, string>) => {
    if (settings === null) return SETTINGS_CANNOT_BE_SAVED;
    Object.assign(settings, saved);
    return SUCCESS;
  });
  if (options.nested !== undefined) {
    await page.exposeFunction("sendToOffice", options.nested.answer);
    await page.addInitScript(installBridge);
  }
  await page.addInitScript({ content: `(${installHost})(${createExternal}, ${JSON.stringify(toFacts(options))})` });
  return { page, errors, foreign, workbook, log, host, closed, openWorkbook: opened.open };
}

/** The frame of the add-in, which a closed pane has within Excel's page. */
const findAddIn = (page: Page): Frame => page.frames().find((frame) => frame.url().endsWith(PANE)) ?? page.mainFrame();

/** A message may come while the page closes or loads anew. */
function throwUnlessGone(error: Error): void {
  if (!/has been closed|context was destroyed|frame was detached/i.test(error.message)) throw error;
}

/** The open workbook of a page; `open` replaces it. */
function createOpened(notify: Readonly<Record<"selection" | "edit", () => Promise<void>>>) {
  let workbook: ExcelWorkbook;
  let reader: RequestReader;
  return {
    open(other: ExcelWorkbook) {
      workbook = other;
      reader = new RequestReader(createRoot(other), other);
      other.onSelect(notify.selection);
      other.onEnter(notify.edit);
    },
    answer: (request: WorkbookRequest) => reader.answer(request),
    editEnded: () => workbook.editEnded,
  };
}

function toFacts(options: OfficeHostOptions): HostFacts {
  const { language = "en-US", theme = "light", requirementSets, settings, nested } = options;
  return {
    constants,
    hostInfo: `Excel$Win32$16.01$${language}$correlation$$$3`,
    language,
    theme: THEMES[theme],
    requirementSets: { ...REQUIREMENT_SETS, ...requirementSets, ...(nested && { nestedappauth: "1.1" }) },
    settings: settings ?? {},
  };
}

/** Whether a request waits while a cell is edited; all others are refused. */
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
    sendToHost(text: string): Promise<string>;
    saveSettings(saved: Record<string, string>): Promise<number>;
    changeTheme(colours: HostFacts["theme"]): void;
  }
}

/** Runs in the page before Office.js, and refers to nothing outside itself. */
function installHost(create: typeof createExternal, facts: HostFacts): void {
  const bridge: Window["_richApiNativeBridge"] = {
    onMessageFromHost: null,
    sendMessageToHost: (text) => void window.sendToHost(text).then((answer) => bridge.onMessageFromHost?.(answer)),
  };
  window._richApiNativeBridge = bridge;
  const external = create(facts);
  window.changeTheme = (theme) => {
    external.GetContext().GetOfficeThemeInfo = () => JSON.stringify(theme);
  };
  const place = external.GetContext().GetSettings?.() as object;
  Object.assign(place, {
    WriteAsync: (names: string[], values: string[], done: (status: number) => void) =>
      void window.saveSettings(Object.fromEntries(names.map((name, index) => [name, values[index] ?? ""]))).then(done),
  });
  Object.defineProperty(window, "external", { value: external });
}

/** Uncaught errors of the page, and violations of its content security policy; faults of the emulation join them. */
async function collectErrors(page: Page): Promise<string[]> {
  const errors: string[] = [];
  page.on("pageerror", (error) => errors.push(error.message));
  await page.exposeFunction("reportViolation", (violation: string) => errors.push(violation));
  await page.addInitScript(() => {
    document.addEventListener("securitypolicyviolation", ({ disposition, violatedDirective, blockedURI, sample }) => {
      if (disposition === "report") return; // reported only, not refused
      const { reportViolation } = window as unknown as { reportViolation(text: string): void };
      reportViolation(`${violatedDirective} ${blockedURI} ${sample}`);
    });
  });
  return errors;
}

/** Serves Office.js from the npm package, and blocks every other foreign address. @returns all that the page requested */
export async function routeOffice(page: Page, origin: string): Promise<string[]> {
  const foreign: string[] = [];
  // Routes of the context, since the service worker sends requests too.
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
