import {
  toMadeSheets,
  toPersistedPolicies,
  toPersistedProvider,
  toRequestLimit,
  toTimeZone,
} from "../session/persisted-settings";
import { type Settings, toCountry } from "../session/settings";

/** What Excel tells the pane once. */
export interface Host {
  /** BCP 47 tag of the display language. */
  language: string;
  /** Whether it shows numbers that carry properties (ExcelApi 1.19). */
  hasNumberProperties: boolean;
}

/** Asks Excel; null where the page is open in anything else. */
export async function readHost(): Promise<Host | null> {
  if (typeof Office === "undefined") return null;
  const { host } = await Office.onReady();
  if (host !== Office.HostType.Excel) return null;
  return {
    language: Office.context.displayLanguage || navigator.language,
    hasNumberProperties: Office.context.requirements.isSetSupported("ExcelApi", "1.19"),
  };
}

/** The settings that a workbook keeps in its file. */
export type PersistedSettings = Omit<Settings, "dateSystem">;

/** As they may stand in a file; `refreshMinutes` is of files from before each family had a policy. */
type StoredSettings = { [name in keyof PersistedSettings | "refreshMinutes"]?: unknown };

/** All of them under one name, for others share the place. */
const SETTINGS_NAME = "feed";

/** Reads what the workbook keeps; whatever else stands there is not believed. */
export function readPersistedSettings(): Partial<PersistedSettings> {
  const stored: unknown = Office.context.document.settings.get(SETTINGS_NAME);
  if (typeof stored !== "object" || stored === null) return {};
  const {
    numberProperties,
    country,
    timeZone,
    refresh,
    refreshMinutes,
    requestLimit,
    provider,
    sheets,
  }: StoredSettings = stored;
  const read: { [name in keyof PersistedSettings]: PersistedSettings[name] | null } = {
    numberProperties: typeof numberProperties === "boolean" ? numberProperties : null,
    country: typeof country === "string" ? toCountry(country) : null,
    timeZone: typeof timeZone === "string" ? toTimeZone(timeZone) : null,
    refresh: toPersistedPolicies(refresh, refreshMinutes),
    requestLimit: typeof requestLimit === "number" ? toRequestLimit(String(requestLimit)) : null,
    provider: toPersistedProvider(provider),
    sheets: sheets === undefined ? null : toMadeSheets(sheets),
  };
  return Object.fromEntries(Object.entries(read).filter(([, value]) => value !== null));
}

/** Has the workbook keep settings beside those it has; they are in its file when it is next saved. @throws Error in Office's words */
export async function persistSettings(settings: Partial<PersistedSettings>): Promise<void> {
  const stored = Office.context.document.settings;
  stored.set(SETTINGS_NAME, { ...readPersistedSettings(), ...settings });
  const { status, error } = await new Promise<Office.AsyncResult<void>>((resolve) => stored.saveAsync(resolve));
  if (status === Office.AsyncResultStatus.Failed) throw new Error(error.message);
}

const prefersDark = () => matchMedia("(prefers-color-scheme: dark)");

/**
 * Whether Office shows itself dark. Its colours tell, not its isDarkTheme: desktop Excel's Office.js rewrites
 * every entry of the theme as a colour, and a false that became "#000000" is true.
 */
export function isDarkTheme(): boolean {
  const background = Office.context.officeTheme?.bodyBackgroundColor;
  const channels = background?.match(/^#(..)(..)(..)$/)?.slice(1);
  if (channels === undefined) return prefersDark().matches;
  const [red = 0, green = 0, blue = 0] = channels.map((channel) => Number.parseInt(channel, 16));
  return 0.299 * red + 0.587 * green + 0.114 * blue < 128;
}

/** Is told when the theme may have changed: Excel sends no event, but whoever changed it comes back to the pane. */
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
