import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Machine, requireTool, runTool, succeeds } from "../machine";

/** A registry value that was set, with what stood there before. */
export interface RegistryChange {
  kind: "registry";
  key: string;
  name: string;
  /** The former value as a .reg file writes it, which holds its type; null where there was none. */
  before: string | null;
  /** Keys that were missing, the deepest first. */
  keys: string[];
}

/** A key of the registry. */
interface RegistryKey {
  /** Values as a .reg file writes them, such as `"text"` or `dword:00000001`, by name. */
  values: ReadonlyMap<string, string>;
  hasSubkeys: boolean;
}

const HEADER = "Windows Registry Editor Version 5.00";
const ALWAYS_THERE = "HKEY_CURRENT_USER\\Software";
const NOT_WRITTEN = "The registry was not changed";

/** Whether this person may use the registry's tools, which a policy can forbid. */
export const hasRegistryTools = ({ environment }: Machine): Promise<boolean> =>
  succeeds("reg", ["query", ALWAYS_THERE], { environment });

/**
 * Reads a key. It is exported to a file, since what `reg query` prints depends on the language and its code page.
 * @returns undefined where there is no such key
 */
export async function readKey(key: string, { environment }: Machine): Promise<RegistryKey | undefined> {
  return withDraft(async (path) => {
    const result = await runTool("reg", ["export", key, path, "/y"], { environment });
    return result?.code === 0 ? parseExport(readFileSync(path, "utf16le")) : undefined;
  });
}

function parseExport(text: string): RegistryKey {
  // The lines of a long binary value end in a backslash.
  const [, own = "", ...others] = text.replace(/\\\r?\n\s*/g, "").split(/^\[.*\]\r?$/m);
  const lines = own.matchAll(/^"((?:[^"\\]|\\.)*)"=(.*?)\r?$/gm);
  return {
    values: new Map([...lines].map(([, name = "", value = ""]) => [unescapeText(name), value])),
    hasSubkeys: others.length > 0,
  };
}

/** Reads a text of a .reg file; undefined for another type. */
export function readTextValue(value = ""): string | undefined {
  const [, text] = /^"(.*)"$/.exec(value) ?? [];
  return text === undefined ? undefined : unescapeText(text);
}

const unescapeText = (text: string): string => text.replace(/\\(.)/g, "$1");
const escapeText = (text: string): string => text.replace(/[\\"]/g, "\\$&");

/** Describes the change that setting a value now would be. */
export async function toRegistryChange(key: string, name: string, machine: Machine): Promise<RegistryChange> {
  const before = (await readKey(key, machine))?.values.get(name) ?? null;
  return { kind: "registry", key, name, before, keys: await listMissing(key, machine) };
}

async function listMissing(key: string, machine: Machine): Promise<string[]> {
  if (await succeeds("reg", ["query", key], machine)) return [];
  return [key, ...(await listMissing(key.slice(0, key.lastIndexOf("\\")), machine))];
}

/** Sets a text. */
export async function setTextValue(key: string, name: string, text: string, { environment }: Machine): Promise<void> {
  const words = ["add", key, "/v", name, "/t", "REG_SZ", "/d", text, "/f"];
  await requireTool(NOT_WRITTEN, "reg", words, { environment });
}

/** Restores what stood in a value's place; keys that were made for it go where they are empty. */
export async function restoreValue({ key, name, before, keys }: RegistryChange, machine: Machine): Promise<void> {
  const { environment } = machine;
  const present = await readKey(key, machine);
  if (before !== null) {
    await importText([HEADER, "", `[${key}]`, `"${escapeText(name)}"=${before}`, ""].join("\r\n"), environment);
  } else if (present?.values.has(name)) {
    await requireTool(NOT_WRITTEN, "reg", ["delete", key, "/v", name, "/f"], { environment });
  }
  for (const made of keys) {
    const left = await readKey(made, machine);
    if (left === undefined) continue;
    if (left.values.size > 0 || left.hasSubkeys) break;
    await requireTool(NOT_WRITTEN, "reg", ["delete", made, "/f"], { environment });
  }
}

const importText = (text: string, environment: NodeJS.ProcessEnv): Promise<void> =>
  withDraft(async (path) => {
    writeFileSync(path, `\uFEFF${text}`, "utf16le");
    await requireTool(NOT_WRITTEN, "reg", ["import", path], { environment });
  });

async function withDraft<Result>(run: (path: string) => Promise<Result>): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), "feed-registry-"));
  try {
    return await run(join(folder, "key.reg"));
  } finally {
    rmSync(folder, { recursive: true });
  }
}
