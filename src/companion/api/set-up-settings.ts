import { readBaseUrl } from "../configuration/base-url";
import type { Settings } from "../configuration/settings";
import type { Folder } from "../folder";
import { toKeyPath } from "../key-folder";
import type { Provider } from "../provider";
import type { UsedKey } from "./used-key";

/** The fields of the pane's form, and the settings that they are kept as. */
export const NAMES = {
  baseUrl: "FEED_BASE_URL",
  clientId: "FEED_CLIENT_ID",
  keyId: "FEED_KEY_ID",
  thumbprint: "FEED_PRIVATE_KEY_FILE",
} as const;

export type Field = keyof typeof NAMES;
export const FIELDS = Object.keys(NAMES) as Field[];

/**
 * What a person wants to be in force; a field that others gave may be left out. Without a thumbprint the present key
 * stays, unless the key id is another and the newest key is unused: then that one signs.
 */
export type Wanted = Partial<Record<Field, string>>;

/** What the next settings come from. */
interface Change {
  before: Settings;
  wanted: Wanted;
  given: ReadonlySet<string>;
  former: Provider;
  keys: readonly UsedKey[];
  folder: Folder;
}

/**
 * Converts what a person wants to the settings to be written. Where the same client of the same provider gets another
 * key id, its former key becomes the "previous" one: until the provider knows the new key, only the former can sign.
 * Another client or provider never knew that key.
 * @param mistakes Gets what is wrong with the thumbprint; the rest shows when the settings are read.
 */
export function toSettings(change: Change, mistakes: string[]): Settings {
  const { before, wanted, given, former } = change;
  // Empty rather than absent, by which nothing at all would mean sample data instead of four things missing.
  const fields = FIELDS.filter((field) => field !== "thumbprint" && !given.has(NAMES[field]));
  const next: Settings = {
    ...before,
    ...Object.fromEntries(fields.map((field) => [NAMES[field], wanted[field] ?? ""])),
  };
  if (given.has(NAMES.keyId)) return next;
  const { FEED_KEY_ID: formerId, FEED_PRIVATE_KEY_FILE: formerPath } = before;
  const path = pickKeyPath(change, formerId === next.FEED_KEY_ID, mistakes);
  const isSameClient =
    !former.sample &&
    (wanted.clientId ?? former.client.clientId) === former.client.clientId &&
    (wanted.baseUrl === undefined || readBaseUrl({ settings: next, mistakes: [] }) === former.baseUrl());
  if (isSameClient && path === formerPath) return next;
  const isFollowed = isSameClient && formerId !== next.FEED_KEY_ID;
  return {
    ...next,
    FEED_PRIVATE_KEY_FILE: path,
    FEED_PREVIOUS_KEY_ID: isFollowed ? formerId : undefined,
    FEED_PREVIOUS_PRIVATE_KEY_FILE: isFollowed ? formerPath : undefined,
  };
}

/** A key that nobody chose is never put in place of one that signs under its id: the provider knows that one. */
function pickKeyPath(
  { before, wanted, keys, folder }: Change,
  isSameKeyId: boolean,
  mistakes: string[],
): string | undefined {
  const toPath = (key: UsedKey) => toKeyPath(folder.keys, key.thumbprint);
  const chosen = keys.find(({ thumbprint }) => thumbprint === wanted.thumbprint);
  if (chosen !== undefined) return toPath(chosen);
  if (wanted.thumbprint !== undefined) mistakes.push("thumbprint is of no key that was made here.");
  const present = before.FEED_PRIVATE_KEY_FILE;
  const [newest] = keys;
  return newest?.use === "unused" && !(isSameKeyId && present) ? toPath(newest) : present;
}

/** Says a mistake in the words of the form, whose reader sets no variable. */
export function toFormSentence(mistake: string): string {
  if (mistake.startsWith(`${NAMES.thumbprint} is missing`)) return "No key was made here as yet: make one first.";
  return FIELDS.reduce(
    (text, field) => (field === "thumbprint" ? text : text.replaceAll(NAMES[field], field)),
    mistake,
  );
}
