import { createHash } from "node:crypto";
import { appendFileSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { deserialize, serialize } from "node:v8";
import { NO_PERSISTED_CACHE, persistedCaches } from "../feed/persisted-cache";
import { SCHEMA_VERSION } from "../feed/persisted-cache/rows";
import type { ToMaxAge } from "../feed/query-cache";
import { orElse, replaceFile } from "./file";

/** In bytes; a run reads and writes all of them. */
const MOST_BYTES = 32_000_000;

interface PersistedAnswer {
  readonly asOfMs: number;
  /** The value and its sources. */
  readonly bytes: Uint8Array;
}

type Entry = readonly [hash: string, persisted: PersistedAnswer];

/** A daily run may come a little early, and its file is read until the next one: half an answer's age is for that. */
const SHARE = 1 / 2;

/**
 * Has the formulas of this process keep answers in a folder, so that the next run asks only for those that have aged.
 *
 * @param toMaxAgeMs how old an answer may be that a person looks at
 * @returns writes the answers of this run; as the browser's, they are a cache and may be lost
 */
export function persistAnswers(folder: string, toMaxAgeMs: ToMaxAge): () => void {
  const stored = new Map<string, PersistedAnswer>();
  let save = () => {};
  persistedCaches.create = ({ ports: { nowMs }, owner }) => {
    const open = async () => {
      const file = createAnswerFile(folder, await owner());
      save = () => file.add(stored);
      return file.read();
    };
    let opened: Promise<ReadonlyMap<string, PersistedAnswer>> | undefined;
    return {
      ...NO_PERSISTED_CACHE,
      async load(hashes, persistence) {
        opened ??= open();
        const answers = await opened;
        const known = hashes.flatMap((hash): Entry[] =>
          [[hash, answers.get(hash)] as Entry].filter(([, persisted]) => persisted),
        );
        const [newest] = known.sort(byAge);
        if (newest === undefined || persistence === undefined) return null;
        const [hash, { asOfMs, bytes }] = newest;
        const ageMs = nowMs() - asOfMs;
        const isFresh = ageMs >= 0 && ageMs < toMaxAgeMs({ persistence }) * SHARE;
        return isFresh ? { hash, asOfMs, ...deserialize(bytes) } : null;
      },
      store: (hash, { asOfMs, ...answer }) => void stored.set(hash, { asOfMs, bytes: serialize(answer) }),
    };
  };
  return () => save();
}

const byAge = ([, one]: Entry, [, other]: Entry): number => other.asOfMs - one.asOfMs;

const SEAL_BYTES = 32;
/** No answer is used for longer: an older file is of a former key. */
const LONGEST_USE_MS = 45 * 86_400_000;

/** The file of one client's answers; one that is damaged, of another client or of another version has none. */
function createAnswerFile(folder: string, owner: string) {
  const path = join(folder, `${createHash("sha256").update(owner).digest("hex")}.answers`);
  const toSeal = (content: Uint8Array) =>
    createHash("sha256").update(`${SCHEMA_VERSION}\n${owner}\n`).update(content).digest();
  const read = (): ReadonlyMap<string, PersistedAnswer> =>
    orElse(new Map(), () => {
      const file = readFileSync(path);
      const content = file.subarray(SEAL_BYTES);
      return toSeal(content).equals(file.subarray(0, SEAL_BYTES)) ? deserialize(content) : new Map();
    });
  return {
    read,
    /** Adds answers to those that another run may have written meanwhile; the newer one counts, the oldest are evicted. */
    add(stored: ReadonlyMap<string, PersistedAnswer>): void {
      if (stored.size === 0) return;
      let bytes = 0;
      const newest = [...read(), ...stored].sort(byAge).filter(([, persisted]) => {
        bytes += persisted.bytes.length;
        return bytes <= MOST_BYTES;
      });
      const content = serialize(new Map(newest.reverse()));
      orElse(undefined, () => {
        mkdirSync(folder, { recursive: true, mode: 0o700 });
        appendFileSync(path, "", { mode: 0o600 }); // its mode stays with the file that replaces it
        replaceFile(path, Buffer.concat([toSeal(content), content]));
        for (const other of readdirSync(folder).map((name) => join(folder, name)))
          if (/\.answers$/.test(other) && Date.now() - statSync(other).mtimeMs > LONGEST_USE_MS) rmSync(other);
      });
    },
  };
}
