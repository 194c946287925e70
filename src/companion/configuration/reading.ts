import { SETTINGS, type Settings } from "./settings";

/** Settings while they are read, and all that is wrong with them so far. */
export interface Reading {
  settings: Settings;
  mistakes: string[];
}

/** Reads a text without the blanks around it; a missing one is a mistake. */
export function readRequired({ settings, mistakes }: Reading, name: string): string {
  const text = settings[name]?.trim() ?? "";
  if (text === "") mistakes.push(`${name} is missing: ${toMeaning(name)}.`);
  return text;
}

/** Reads one word of several; any other is a mistake. */
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

/** Gives what a function makes of a setting; what it throws is a mistake of that setting. */
export function attempt<T>({ mistakes }: Reading, name: string, read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    mistakes.push(`${name}: ${(error as Error).message}`);
    return undefined;
  }
}

/** Tells whether two settings that belong together are there; one without the other is a mistake. */
export function hasPair({ settings, mistakes }: Reading, first: string, second: string): boolean {
  const [one, other] = [Boolean(settings[first]), Boolean(settings[second])];
  if (one !== other)
    mistakes.push(`${one ? second : first} is missing: it belongs to ${one ? first : second}. Set both, or none.`);
  return one && other;
}

const toMeaning = (name: string): string => SETTINGS.find((setting) => setting.name === name)?.meaning ?? "";
