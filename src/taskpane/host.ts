import { PLAYGROUND_WORKBOOK, type Workbook } from "../contract/workbook";
import { type PersistedSettings, readStoredSettings } from "../session/persisted-settings";
import { readStored, store, storeLater } from "./file-store";

/** Excel's facts, read once. */
export interface Host {
  /** BCP 47 tag of the display language. */
  language: string;
  /** Whether it shows numbers that carry properties (ExcelApi 1.19, CustomFunctionsRuntime 1.4). */
  hasNumberProperties: boolean;
}

/** Reads Excel's facts; null outside Excel. */
export async function readHost(): Promise<Host | null> {
  if (typeof Office === "undefined") return null;
  const { host } = await Office.onReady();
  if (host !== Office.HostType.Excel) return null;
  const { displayLanguage, requirements } = Office.context;
  return {
    language: displayLanguage || navigator.language,
    hasNumberProperties:
      requirements.isSetSupported("ExcelApi", "1.19") && requirements.isSetSupported("CustomFunctionsRuntime", "1.4"),
  };
}

/** Whether a language, a BCP 47 tag, is Japanese; every other is shown in English. */
export const isJapanese = (language: string): boolean => language.toLowerCase().startsWith("ja");

/** One name for all settings, since other add-ins share the place. */
const SETTINGS_NAME = "feed";

/** Reads the workbook's settings; an invalid value is ignored. */
export const readPersistedSettings = (): Partial<PersistedSettings> => readStoredSettings(readStored(SETTINGS_NAME));

const withSettings = (settings: Partial<PersistedSettings>) => (stored: unknown) => ({
  ...readStoredSettings(stored),
  ...settings,
});

/** Stores settings that a person chose, beside the present ones. @throws Error in Office's words */
export const persistSettings = (settings: Partial<PersistedSettings>): Promise<void> =>
  store([SETTINGS_NAME, withSettings(settings)]);

/** Stores settings that nobody chose with the next decision. */
export const persistLater = (settings: Partial<PersistedSettings>): void =>
  storeLater(SETTINGS_NAME, withSettings(settings));

/** Whether Excel runs in a browser. */
export const isOnTheWeb = (): boolean =>
  typeof Office !== "undefined" && Office.context?.platform === Office.PlatformType?.OfficeOnline;

const prefersDark = () => matchMedia("(prefers-color-scheme: dark)");

/** Whether the companion runs on the person's own computer, where they can type its commands. */
export const isOwnCompanion = (origin: string): boolean =>
  /^https?:\/\/(localhost|127\.\d+\.\d+\.\d+|\[::1\])(:|$)/.test(origin);

/**
 * Whether Office has a dark theme, by its colours and not by isDarkTheme: desktop Excel's Office.js rewrites
 * every entry of the theme as a colour, and a false that became "#000000" is true.
 */
export function isDarkTheme(): boolean {
  const background = Office.context.officeTheme?.bodyBackgroundColor;
  const channels = background?.match(/^#(..)(..)(..)$/)?.slice(1);
  if (channels === undefined) return prefersDark().matches;
  const [red = 0, green = 0, blue = 0] = channels.map((channel) => Number.parseInt(channel, 16));
  return 0.299 * red + 0.587 * green + 0.114 * blue < 128;
}

/** Calls back when the theme may have changed; Excel sends no event, but the person returns to the pane. */
export function watchTheme(listener: () => void): () => void {
  const media = prefersDark();
  media.addEventListener("change", listener);
  window.addEventListener("focus", listener);
  document.addEventListener("visibilitychange", listener);
  return () => {
    media.removeEventListener("change", listener);
    window.removeEventListener("focus", listener);
    document.removeEventListener("visibilitychange", listener);
  };
}

/** The workbook of the playground, if the pane is open in it. */
export const findPlaygroundWorkbook = (): Workbook | undefined =>
  (window as { [PLAYGROUND_WORKBOOK]?: Workbook })[PLAYGROUND_WORKBOOK];

/** Reads the date system by the workbook's DATE function, since no property has it. */
export function readDateSystem(): Promise<1900 | 1904> {
  // Without the option, a cell that is being edited while the pane opens would make Excel refuse.
  return Excel.run({ delayForCellEdit: true }, async (context) => {
    const newYear = context.workbook.functions.date(2000, 1, 1);
    newYear.load("value");
    await context.sync();
    return newYear.value === SERIAL_OF_2000_IN_1904 ? 1904 : 1900;
  });
}

/** 2000-01-01 in a workbook that counts from 1904. */
const SERIAL_OF_2000_IN_1904 = 35_064;
