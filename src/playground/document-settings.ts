import type { Commands } from "./commands";

type Values = Record<string, unknown>;

/** What add-ins keep in the open workbook: Office's `document.settings`, which changes a copy until it is saved. */
interface DocumentSettings {
  get(name: string): unknown;
  set(name: string, value: unknown): void;
  remove(name: string): void;
  /** Takes the copy into the workbook. */
  saveAsync(done?: (result: { status: "succeeded" }) => void): void;
}

/** The same with what the workbook's side of it does. */
interface PersistedSettings extends DocumentSettings {
  /** Takes what an opened workbook holds. */
  open(values?: Values): void;
  /** Gives what the workbook is to keep. */
  read(): Values;
}

export function createDocumentSettings(): PersistedSettings {
  let saved = "{}"; // JSON, so that nothing of the pane's page is shared
  let copy: Values = {};
  return {
    get: (name) => copy[name] ?? null,
    set(name, value) {
      copy[name] = value;
    },
    remove(name) {
      delete copy[name];
    },
    saveAsync(done) {
      saved = JSON.stringify(copy);
      queueMicrotask(() => done?.({ status: "succeeded" }));
    },
    open(values = {}) {
      saved = JSON.stringify(values);
      copy = JSON.parse(saved);
    },
    read: () => JSON.parse(saved),
  };
}

/** Of ExcelApi the spreadsheet shows numbers with formats (1.16), but no cards of properties (1.19). */
const VERSIONS: Record<string, { major: number; minor: number }> = {
  ExcelApi: { major: 1, minor: 16 },
  SharedRuntime: { major: 1, minor: 1 },
  OpenBrowserWindowApi: { major: 1, minor: 1 },
};

/** The ground that Excel's pane stands on, as Office's theme gives it. */
const GROUND = { light: "#ffffff", dark: "#1b1d26" };

/** What the playground has to offer in Office's name. */
interface Offered {
  language: "en" | "ja";
  settings: DocumentSettings;
  commands: Commands;
  pane: { show(): void; hide(): void };
}

/** Makes what the add-in asks of the global `Office`. */
export function createOffice({ language, settings, commands, pane }: Offered) {
  const { get, set, remove, saveAsync } = settings;
  return {
    HostType: { Excel: "Excel" },
    PlatformType: { OfficeOnline: "OfficeOnline" },
    AsyncResultStatus: { Succeeded: "succeeded", Failed: "failed" },
    onReady: async () => ({ host: "Excel", platform: "OfficeOnline" }),
    context: {
      displayLanguage: language === "ja" ? "ja-JP" : "en-US",
      requirements: { isSetSupported },
      ui: { openBrowserWindow: (address: string) => void window.open(address, "_blank", "noopener") },
      document: { settings: { get, set, remove, saveAsync } },
      get officeTheme() {
        const isDark = matchMedia("(prefers-color-scheme: dark)").matches;
        return { bodyBackgroundColor: isDark ? GROUND.dark : GROUND.light };
      },
    },
    actions: { associate: commands.associate },
    addin: { showAsTaskpane: async () => pane.show(), hide: async () => pane.hide() },
  };
}

function isSetSupported(name: string, version = "1.1"): boolean {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const known = VERSIONS[name];
  return known !== undefined && major === known.major && minor <= known.minor;
}
