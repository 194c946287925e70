import type { Commands, Shortcuts } from "./commands";

type Values = Record<string, unknown>;

/** Office's `document.settings` of the open workbook, which changes a copy until it is saved. */
interface DocumentSettings {
  get(name: string): unknown;
  set(name: string, value: unknown): void;
  remove(name: string): void;
  /** Saves the copy in the workbook. */
  saveAsync(done?: (result: { status: "succeeded" }) => void): void;
}

/** The settings with the workbook's own methods. */
interface PersistedSettings extends DocumentSettings {
  /** Sets the values of an opened workbook. */
  open(values?: Values): void;
  /** Returns the saved values. */
  read(): Values;
}

/** @param onSave called when the copy has been saved in the workbook */
export function createDocumentSettings(onSave: () => void = () => {}): PersistedSettings {
  let saved = "{}"; // JSON, so that the pane's page shares no object
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
      const before = saved;
      saved = JSON.stringify(copy);
      if (saved !== before) onSave();
      queueMicrotask(() => done?.({ status: "succeeded" }));
    },
    open(values = {}) {
      saved = JSON.stringify(values);
      copy = JSON.parse(saved);
    },
    read: () => JSON.parse(saved),
  };
}

/** The background of Excel's pane in Office's theme. */
const GROUND = { light: "#ffffff", dark: "#1b1d26" };

/** The engine shows numbers with formats (ExcelApi 1.16), but not with properties (1.19); functions open pages in every host. */
const REQUIREMENT_SETS: Readonly<Record<string, string>> = {
  openbrowserwindowapi: "1.1",
  excelapi: "1.16",
  customfunctionsruntime: "1.4",
  sharedruntime: "1.1",
};

/** The playground's parts behind the global `Office`. */
interface Offered {
  language: "en" | "ja";
  /** The keys of commands. */
  shortcuts: Promise<Shortcuts>;
  settings: DocumentSettings;
  /** Resolves when the first workbook is open: as in Excel, an add-in that is ready can read its settings. */
  opened: Promise<void>;
  commands: Commands;
  pane: { show(): void; hide(): void; onChange(listener: (isShown: boolean) => void): void };
}

/** Creates the members of the global `Office` that the add-in uses. */
export function createOffice({ language, shortcuts, settings, opened, commands, pane }: Offered) {
  const { get, set, remove, saveAsync } = settings;
  return {
    HostType: { Excel: "Excel" },
    PlatformType: { PC: "PC", Mac: "Mac", OfficeOnline: "OfficeOnline" },
    VisibilityMode: { hidden: "Hidden", taskpane: "Taskpane" },
    AsyncResultStatus: { Succeeded: "succeeded", Failed: "failed" },
    onReady: async () => {
      await opened;
      return { host: "Excel", platform: "PC" };
    },
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
    actions: { associate: commands.associate, getShortcuts: () => shortcuts },
    addin: {
      showAsTaskpane: async () => pane.show(),
      hide: async () => pane.hide(),
      async onVisibilityModeChanged(handler: (message: { visibilityMode: string }) => void) {
        pane.onChange((isShown) => handler({ visibilityMode: isShown ? "Taskpane" : "Hidden" }));
      },
    },
  };
}

function isSetSupported(name: string, version = "1.1"): boolean {
  const [major, minor = 0] = version.split(".").map(Number);
  const [knownMajor, knownMinor = 0] = (REQUIREMENT_SETS[name.toLowerCase()] ?? "").split(".").map(Number);
  return major === knownMajor && minor <= knownMinor;
}
