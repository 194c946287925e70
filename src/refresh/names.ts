import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { deserialize, serialize } from "node:v8";
import { hasCode } from "../client/errors";
import { ASIAN_COUNTRIES } from "../contract/asian-countries";
import { type NameStore, nameStores } from "../feed/names/engine";
import type { Session } from "../session/session";
import { orElse, replaceFile } from "./file";

const EVERYWHERE = [...Object.keys(ASIAN_COUNTRIES), "ALL"];
const isTooLarge = hasCode("FEED_INDEX_NOT_READY");

/**
 * Builds the indexes of names that take more requests than a formula sends by itself, and has their formulas try again.
 *
 * @param admit says whether so many requests may go out
 * @returns whether any was built
 */
export async function buildLargeIndexes(
  { feed: { nameIndexes } }: Session,
  admit: (requests: number) => boolean,
): Promise<boolean> {
  let hasBuilt = false;
  for (const country of EVERYWHERE) {
    const { error, progress } = nameIndexes.state(country);
    const requests = progress?.expectedRequests ?? null;
    if (!isTooLarge(error) || requests === null || !admit(requests)) continue;
    await nameIndexes.build(country);
    hasBuilt = true;
  }
  return hasBuilt;
}

interface Kept {
  key: string;
  value: unknown;
}

/** Has the formulas of this process keep names in a folder. */
export function persistNames(folder: string): void {
  nameStores.create = () => createFileNameStore(folder);
}

/**
 * Creates the store of names in a folder of the person's own, a file for each key, so that the next run builds no index
 * anew. As the browser's it is a cache: what cannot be read or written is lost, and read anew from the provider.
 */
export function createFileNameStore(folder: string): NameStore {
  const toPath = (key: string) => join(folder, `${createHash("sha256").update(key).digest("hex")}.names`);
  const list = () =>
    orElse([], () => readdirSync(folder).filter((name) => name.endsWith(".names"))).map((name) => join(folder, name));
  const listWith = (prefix: string) =>
    list().flatMap((path) => {
      const kept = read(path);
      return kept?.key.startsWith(prefix) ? [{ path, kept }] : [];
    });
  return {
    load: async (key) => read(toPath(key))?.value,
    loadAll: async (prefix) => listWith(prefix).map(({ kept }) => kept.value),
    async save(key, value) {
      orElse(undefined, () => {
        mkdirSync(folder, { recursive: true, mode: 0o700 });
        replaceFile(toPath(key), serialize({ key, value } satisfies Kept));
      });
    },
    async drop(prefix) {
      for (const { path } of listWith(prefix)) orElse(undefined, () => rmSync(path, { force: true }));
    },
    size: async () => list().reduce((sum, path) => sum + orElse(0, () => statSync(path).size), 0),
    dropAll: async () =>
      orElse(false, () => {
        rmSync(folder, { recursive: true, force: true });
        return true;
      }),
  };
}

/** Nobody presses a button for new companies here. */
const LONGEST_USE_MS = 7 * 86_400_000;

const read = (path: string): Kept | undefined =>
  orElse(undefined, () => {
    const isOld = Date.now() - statSync(path).mtimeMs > LONGEST_USE_MS;
    if (!isOld) return deserialize(readFileSync(path));
    rmSync(path, { force: true });
    return undefined;
  });
