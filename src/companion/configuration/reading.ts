import { parseJson } from "../json";
import { type Count, SETTINGS, type Settings, type SettingsTable } from "./settings";

/** Settings during validation, with the mistakes so far. */
export interface Reading {
  settings: Settings;
  mistakes: string[];
}

/** All mistakes of the settings at once, one line each. */
export class ConfigurationError extends Error {
  override readonly name = "ConfigurationError";

  /** @param message Default a list of the mistakes. */
  constructor(
    readonly mistakes: readonly string[],
    message = ["The settings do not serve:", ...mistakes].join(mistakes.length === 1 ? " " : "\n  - "),
  ) {
    super(message);
  }
}

/**
 * Reads a required text without surrounding blanks.
 * @param table Where the setting is declared; default among the companion's own.
 */
export function readRequired({ settings, mistakes }: Reading, name: string, table: SettingsTable = SETTINGS): string {
  const text = settings[name]?.trim() ?? "";
  if (text === "") mistakes.push(`${name} is missing: ${table.texts[name]}.`);
  return text;
}

/** Reads one of several words; any other is a mistake, which is not quoted: it may be a secret in the wrong place. */
export function readChoice<T extends string>(
  reading: Reading,
  name: string,
  words: readonly T[],
  preset = words[0]!,
): T {
  const { [name]: text = preset } = reading.settings;
  const word = words.find((each) => each === text);
  if (word === undefined) reading.mistakes.push(`${name} must be one of ${words.join(", ")}.`);
  return word ?? preset;
}

/** Reads a whole number; any other text is a mistake, which is not quoted. */
export function readCount({ settings, mistakes }: Reading, name: string, [least, most, preset]: Count): number {
  const { [name]: text } = settings;
  if (text === undefined) return preset;
  const count = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (count >= least && count <= most) return count;
  mistakes.push(`${name} must be a whole number from ${least} to ${most}.`);
  return preset;
}

/** Parses a file's JSON object; other text is an error with the given sentence, since the parser's would quote the file. */
export function parseObject(text: string, sentence: string): object {
  const value = parseJson(text);
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value;
  throw new Error(sentence);
}

/** Runs a function; its error becomes a mistake of the setting. */
export function attempt<T>({ mistakes }: Reading, name: string, read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    mistakes.push(`${name}: ${(error as Error).message}`);
    return undefined;
  }
}

/** Whether two settings that belong together are set; one alone is a mistake. */
export function hasPair({ settings, mistakes }: Reading, first: string, second: string): boolean {
  const [one, other] = [Boolean(settings[first]), Boolean(settings[second])];
  if (one !== other)
    mistakes.push(`${one ? second : first} is missing: it belongs to ${one ? first : second}. Set both, or none.`);
  return one && other;
}
