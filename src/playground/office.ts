type Values = Record<string, unknown>;

/**
 * Office's `document.settings` of the open workbook, which changes a copy until it is saved, with the workbook's own methods.
 *
 * @param onSave called when the copy has been saved in the workbook
 */
export function createDocumentSettings(onSave: () => void = () => {}) {
  let saved = "{}"; // JSON, so that the pane's page shares no object
  let copy: Values = {};
  return {
    get: (name: string): unknown => copy[name] ?? null,
    set(name: string, value: unknown) {
      copy[name] = value;
    },
    remove(name: string) {
      delete copy[name];
    },
    /** Saves the copy in the workbook. */
    saveAsync(done?: (result: { status: "succeeded" }) => void) {
      const before = saved;
      saved = JSON.stringify(copy);
      if (saved !== before) onSave();
      queueMicrotask(() => done?.({ status: "succeeded" }));
    },
    /** Sets the values of an opened workbook. */
    open(values: Values = {}) {
      saved = JSON.stringify(values);
      copy = JSON.parse(saved);
    },
    /** Returns the saved values. */
    read: (): Values => JSON.parse(saved),
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
  settings: Pick<ReturnType<typeof createDocumentSettings>, "get" | "set" | "remove" | "saveAsync">;
  /** Resolves when the workbook is open: as in Excel, an add-in that is ready can read its settings. */
  opened(): Promise<unknown>;
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
      await opened();
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

/** The manifest's commands of Excel's ribbon and cell menu. */
export type CommandId = "refreshAll" | "refreshSelection" | "aboutCell" | "freeze" | "repair" | "help";

/** The actions of the keyboard in the add-in's shortcuts.json. */
type ShortcutId = "refreshAll" | "refreshSelection" | "aboutCell" | "togglePane";

/** Excel's argument of a command, which reports its completion. */
interface CommandEvent {
  source: { id: string };
  completed(): void;
}

/** The add-in's commands by their ids in the manifest. */
export type Commands = ReturnType<typeof createCommands>;

export function createCommands() {
  const associated = new Map<string, (event: CommandEvent) => void>();
  return {
    /** As `Office.actions.associate`. */
    associate: (id: string, command: (event: CommandEvent) => void) => void associated.set(id, command),
    /** Calls a command, or an action of the keyboard; does nothing where the add-in has not associated it. */
    run: (id: CommandId | ShortcutId) => associated.get(id)?.({ source: { id }, completed: () => {} }),
  };
}

/** The add-in's keys by action, e.g. "Ctrl+Alt+Shift+M". */
type Shortcuts = Partial<Record<ShortcutId, string>>;

/** The part of shortcuts.json that Excel reads the keys from. */
interface ShortcutsFile {
  shortcuts: { action: ShortcutId; key: { default: string } }[];
}

/** Loads the add-in's keys; none where the file is missing. */
export async function loadShortcuts(): Promise<Shortcuts> {
  const response = await fetch("/shortcuts.json").catch(() => undefined);
  if (!response?.ok) return {};
  const { shortcuts } = (await response.json()) as ShortcutsFile;
  return Object.fromEntries(shortcuts.map(({ action, key }) => [action, key.default]));
}

/** Runs actions by their keys while the focus is outside the pane, as Excel on the web does. */
export function bindShortcuts(root: Document, shortcuts: Shortcuts, run: (action: ShortcutId) => void): void {
  // Capturing, since the grid stops its keys.
  root.addEventListener(
    "keydown",
    (event) => {
      const pressed = toKeys(event);
      const [action] = Object.entries(shortcuts).find(([, keys]) => keys === pressed) ?? [];
      if (action === undefined) return;
      event.preventDefault();
      event.stopPropagation();
      run(action as ShortcutId);
    },
    { capture: true },
  );
}

/** The pressed keys as shortcuts.json writes them; letters by their place, since Alt and Shift change them. */
function toKeys({ ctrlKey, metaKey, altKey, shiftKey, code }: KeyboardEvent): string {
  const modifiers = [ctrlKey && "Ctrl", metaKey && "Command", altKey && "Alt", shiftKey && "Shift"];
  return [...modifiers.filter(Boolean), code.replace(/^Key/, "")].join("+");
}

/** The globals that Excel provides to the add-in's page, by name. */
export type Surroundings = Record<string, object>;

/** The name of the globals on the playground's page, for the pane's page in its frame. */
export const SURROUNDINGS = "playgroundSurroundings";
