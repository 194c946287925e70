import { SETTINGS, type Settings } from "./settings";

/** Settings during validation, with the mistakes so far. */
export interface Reading {
  settings: Settings;
  mistakes: string[];
}

/** Reads a required text without surrounding blanks. */
export function readRequired({ settings, mistakes }: Reading, name: string): string {
  const text = settings[name]?.trim() ?? "";
  if (text === "") mistakes.push(`${name} is missing: ${toMeaning(name)}.`);
  return text;
}

/** Reads one of several words; any other is a mistake. */
export function readChoice<T extends string>(
  { settings, mistakes }: Reading,
  name: string,
  choices: readonly T[],
  preset: T,
): T {
  const text = settings[name];
  const choice = choices.find((word) => word === text);
  if (text !== undefined && choice === undefined) mistakes.push(`${name} must be one of ${choices.join(", ")}.`);
  return choice ?? preset;
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

const toMeaning = (name: string): string => SETTINGS.find((setting) => setting.name === name)?.meaning ?? "";
