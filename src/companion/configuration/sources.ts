import { findClosest } from "../../client/closest";
import { FEATURES } from "../features";
import { toCommand } from "../program";
import { isAbsent, readTrustedFile } from "../trusted-file";
import { parseObject } from "./reading";
import { findKin, isOfProvider, SETTINGS, type Settings, type SettingsTable, toSettingName } from "./settings";

const TABLES: readonly SettingsTable[] = [SETTINGS, ...FEATURES.map(({ settings }) => settings)];

/** Every setting with its description, those of features included, in the order of `--help`. */
export const KNOWN_SETTINGS: Readonly<Record<string, string>> = Object.fromEntries(TABLES.flatMap(listDescriptions));

export const SETTING_NAMES: readonly string[] = Object.keys(KNOWN_SETTINGS);

/** Settings that hold a secret. */
const SECRETS = TABLES.flatMap(({ secrets }) => secrets);

function listDescriptions({ texts, counts }: SettingsTable): string[][] {
  return Object.entries(texts).map(([name, text]) => {
    const [least, most, preset] = counts[name] ?? [];
    return [name, preset === undefined ? text : `${text}, ${least} to ${most}, default ${preset}`];
  });
}

/**
 * A firm's settings that any program could have, and no other has: they refuse the start where no feature reads them, as
 * FEED_ names do. Those of OpenTelemetry are ignored there: whoever looks after a computer sets them for all programs.
 */
const OF_FIRMS = ["PRIVACY_URL", "SUPPORT_URL", "TERMS_URL"];

/** Describes every setting for `--help`. */
export function describeSettings(): string {
  return Object.entries(KNOWN_SETTINGS)
    .map(([name, description]) => `  ${name}\n      ${description}`)
    .join("\n");
}

const FILE = "settings file";
const LIST = toCommand("start --help");
/** Their values may hold angle brackets, and secrets between them. */
const FREE_TEXTS = [...SECRETS, "FEED_SIGNER_COMMAND", "NO_PROXY"];

/** The one file beside the environment. */
export interface SettingsFiles {
  /** The path of an administrator's file: it counts as the environment does, and replaces the person's own. */
  administrators?: string;
  /** The person's own settings, or the path of their file, which need not exist. */
  own?: string | Settings;
}

/** The settings of all sources together. */
export interface Sources {
  settings: Settings;
  /** The provider's settings that only the environment or an administrator's file may change. */
  given: ReadonlySet<string>;
}

/**
 * Merges the settings of the environment with those of a file; the environment wins.
 * @param mistakes Gets mistakes in names and values.
 * @throws Error with a sentence when the file cannot be read: missing settings are unknown then.
 */
export function collectSettings(environment: Settings, files: SettingsFiles, mistakes: string[]): Sources {
  const { administrators, own = {} } = files;
  const first = pickSettings(environment);
  for (const name of Object.keys(first)) refuseUnknown(name, "", mistakes);
  const given = new Set(Object.keys(first).flatMap(findKin));
  const file = administrators === undefined ? readOwn(own, mistakes) : readFile(administrators, mistakes);
  const below = Object.entries(file).filter(([name]) => !given.has(name));
  const locked = administrators === undefined ? [...given] : SETTING_NAMES;
  const settings = { ...Object.fromEntries(below), ...first };
  refusePlaceholders(settings, mistakes);
  return { settings, given: new Set(locked.filter(isOfProvider)) };
}

/** Refuses placeholders in angle brackets, which could pass for an id. */
function refusePlaceholders(settings: Settings, mistakes: string[]): void {
  for (const [name, text = ""] of Object.entries(settings)) {
    const [placeholder] = FREE_TEXTS.includes(name) ? [] : (text.match(/<[^<>]+>/) ?? []);
    if (placeholder)
      mistakes.push(`${name} still has the placeholder "${placeholder}". Put your own value in its place.`);
  }
}

/** Picks the settings: a provider's even when empty or unknown, any other only with a text. */
function pickSettings(environment: Settings): Settings {
  const names = [...SETTING_NAMES, ...OF_FIRMS];
  const isMeant = ([name, text]: [string, string | undefined]) =>
    text !== undefined && (isOfProvider(name) || (names.includes(toSettingName(name)) && text !== ""));
  const meant = Object.entries(environment).filter(isMeant);
  // Of both, the name in lower case counts, as elsewhere.
  const last = meant.filter(([name]) => name !== toSettingName(name));
  return Object.fromEntries([...meant, ...last].map(([name, text]) => [toSettingName(name), text]));
}

function readOwn(own: string | Settings, mistakes: string[]): Settings {
  if (typeof own === "string") return isAbsent(own, FILE) ? {} : readFile(own, mistakes);
  for (const name of Object.keys(own)) refuseUnknown(name, "", mistakes);
  return pickSettings(own);
}

function readFile(path: string, mistakes: string[]): Settings {
  const sentence = `The ${FILE} ${path} is no JSON object of names and texts. Mend it, or delete it and set up again.`;
  const parse = (text: string) => parseObject(text, sentence);
  const holdsSecret = (text: string) => Object.keys(parse(text)).some((name) => SECRETS.includes(name));
  const entries = Object.entries(parse(readTrustedFile(path, FILE, holdsSecret)));
  for (const [name, text] of entries) {
    if (refuseUnknown(name, ` (in ${path})`, mistakes)) continue;
    if (typeof text !== "string") mistakes.push(`${name} (in ${path}) must be a text in quotation marks.`);
  }
  // A value that is no text is reported already, and must not be reported as missing too.
  return pickSettings(Object.fromEntries(entries.map(([name, text]) => [name, String(text)])));
}

function refuseUnknown(name: string, place: string, mistakes: string[]): boolean {
  if (SETTING_NAMES.includes(name)) return false;
  const [closest] = findClosest(name, SETTING_NAMES);
  const cure = closest === undefined ? `See: ${LIST}` : `Did you mean ${closest}?`;
  mistakes.push(`${name}${place} is not a setting. ${cure}`);
  return true;
}
