import DataLoader from "dataloader";
import type { DBSchema, IDBPDatabase } from "idb";
import { createDatabase, type Database } from "./database";
import type { Ports } from "./ports";
import type { Source } from "./watch/types";

/** An answer as it is kept beyond the page. */
export interface KeptAnswer {
  readonly value: unknown;
  /** When it came, milliseconds since the Unix epoch. */
  readonly asOfMs: number;
  /** The requests that it came by. */
  readonly sources: readonly Source[];
}

/** Answers that outlive the page, by the hashes of their questions: never tokens, never persons' contact data. */
export interface Answers {
  /** The newest of what is kept under any of these hashes; null where nothing is. */
  load(hashes: readonly string[]): Promise<(KeptAnswer & { hash: string }) | null>;
  /** Keeps an answer in the place of an older one, or of any if `isOfBefore`; it is written a moment later. */
  keep(hash: string, answer: KeptAnswer, isOfBefore?: boolean): void;
  /** Forgets what is not written yet, and drops what is kept of other owners: the client has changed. */
  leaveOthers(): void;
}

export const NO_ANSWERS: Answers = { load: async () => null, keep: () => {}, leaveOthers: () => {} };

export interface AnswersOptions {
  ports: Pick<Ports, "nowMs" | "after">;
  /** Who the client is, and of which provider: what is kept serves nobody else. */
  owner: () => Promise<string>;
  /** What is kept at most, in characters; default 64 million. */
  mostCharacters?: number;
}

/** An answer as it lies in the database: as JSON, or as the name of an equal one. */
interface Row {
  text: string | null;
  /** Key of the row that has the text. */
  equals: string | null;
  asOfMs: number;
  sources: readonly Source[];
}

/** What tells which answers have not been used for long, without reading them. */
interface Use {
  usedAtMs: number;
  asOfMs: number;
  characters: number;
}

interface Schema extends DBSchema {
  answers: { key: string; value: Row };
  uses: { key: string; value: Use };
}

/** Counts up with each change of a row, or of what answers look like: what was kept before is then dropped. */
const SCHEMA_VERSION = 1;

/** Answers that come together are written together. */
const WRITE_AFTER_MS = 50;

/** So many are written at a time that cells and pane go on in between. */
const WRITTEN_AT_ONCE = 50;

const MOST_CHARACTERS = 64_000_000;

/** Of what is kept at most, this is left when that is exceeded. */
const LEFT = 0.8;

interface Waiting extends KeptAnswer {
  hash: string;
  isOfBefore: boolean;
}

interface Context extends AnswersOptions {
  use: Database<Schema>;
  waiting: Map<string, Waiting>;
  /** Under which hash a value was kept last: several questions may have the same one as their answer. */
  hashes: WeakMap<object, string>;
  /** Keys whose use this page has noted. */
  used: Set<string>;
  isWriting: boolean;
  /** Written since it was last seen to that not too much is kept. */
  characters: number;
  mostCharacters: number;
}

/** Makes the answers that IndexedDB keeps; where it is blocked, full or broken, answers are asked for. */
export function createAnswers(options: AnswersOptions): Answers {
  if (typeof indexedDB === "undefined") return NO_ANSWERS;
  const use = createDatabase<Schema>("feed-answers", SCHEMA_VERSION, (database) => {
    database.createObjectStore("answers");
    database.createObjectStore("uses");
  });
  const context: Context = {
    mostCharacters: MOST_CHARACTERS,
    ...options,
    use,
    waiting: new Map(),
    hashes: new WeakMap(),
    used: new Set(),
    isWriting: false,
    characters: Number.POSITIVE_INFINITY, // what earlier pages left is looked at with the first write
  };
  // A workbook that opens asks for thousands of answers at a time: they are one transaction.
  const loader = new DataLoader<string, KeptAnswer | null>((hashes) => loadTogether(context, hashes), { cache: false });
  return {
    async load(hashes) {
      const found = await loader.loadMany(hashes).catch(() => []);
      return found.reduce((newest: (KeptAnswer & { hash: string }) | null, each, index) => {
        if (each === null || each instanceof Error || (newest !== null && newest.asOfMs >= each.asOfMs)) return newest;
        return { ...each, hash: hashes[index] ?? "" };
      }, null);
    },
    keep(hash, answer, isOfBefore = false) {
      context.waiting.set(hash, { ...answer, hash, isOfBefore });
      writeSoon(context);
    },
    leaveOthers() {
      context.waiting.clear();
      void dropOthers(context);
    },
  };
}

const toKey = (owner: string, hash: string) => `${owner}\n${hash}`;

async function loadTogether(context: Context, hashes: readonly string[]): Promise<(KeptAnswer | null)[]> {
  const owner = await context.owner().catch(() => null);
  if (owner === null) return hashes.map(() => null);
  const found = await context.use(new Map<string, KeptAnswer>(), (database) => readRows(database, owner, hashes));
  const fresh = [...found.keys()].filter((hash) => !context.used.has(toKey(owner, hash)));
  if (fresh.length > 0) void noteUses(context, owner, fresh);
  return hashes.map((hash) => found.get(hash) ?? null);
}

async function readRows(
  database: IDBPDatabase<Schema>,
  owner: string,
  hashes: readonly string[],
): Promise<Map<string, KeptAnswer>> {
  const { store } = database.transaction("answers");
  const read = async (hash: string) => {
    const key = toKey(owner, hash);
    const row = await store.get(key);
    const target = row?.equals ?? key;
    return { hash, target, row: target === key ? row : await store.get(target) };
  };
  const values = new Map<string, unknown>();
  const found = new Map<string, KeptAnswer>();
  for (const { hash, target, row } of await Promise.all([...new Set(hashes)].map(read))) {
    if (row === undefined || row.text === null) continue;
    // What several questions share stays one value: their cells compare it by identity, and it is parsed once.
    if (!values.has(target)) values.set(target, JSON.parse(row.text));
    found.set(hash, { value: values.get(target), asOfMs: row.asOfMs, sources: row.sources });
  }
  return found;
}

/** Once a page for each answer: what is used is not the first to go. */
async function noteUses({ use, ports, used }: Context, owner: string, hashes: readonly string[]): Promise<void> {
  const keys = hashes.map((hash) => toKey(owner, hash));
  for (const key of keys) used.add(key);
  await use(undefined, async (database) => {
    const { store, done } = database.transaction("uses", "readwrite");
    const note = async (key: string) => {
      const before = await store.get(key);
      if (before !== undefined) await store.put({ ...before, usedAtMs: ports.nowMs() }, key);
    };
    await Promise.all([...keys.map(note), done]);
  });
}

function writeSoon(context: Context, afterMs = WRITE_AFTER_MS): void {
  if (context.isWriting || context.waiting.size === 0) return;
  context.isWriting = true;
  context.ports.after(afterMs, async () => {
    await write(context);
    context.isWriting = false;
    writeSoon(context, 0);
  });
}

async function write(context: Context): Promise<void> {
  const { waiting, use } = context;
  const owner = await context.owner().catch(() => null);
  const some = [...waiting.values()].slice(0, WRITTEN_AT_ONCE);
  for (const { hash } of some) waiting.delete(hash);
  if (owner === null) return;
  const rows = some.map((each) => ({ ...each, key: toKey(owner, each.hash), row: toRow(context, owner, each) }));
  const isWritten = await use(false, async (database) => {
    const transaction = database.transaction(["answers", "uses"], "readwrite", { durability: "relaxed" });
    const [answers, uses] = [transaction.objectStore("answers"), transaction.objectStore("uses")];
    const put = async ({ key, row, isOfBefore }: (typeof rows)[number]) => {
      const known = await uses.get(key);
      if (known !== undefined && known.asOfMs > row.asOfMs && !isOfBefore) return; // another window has a newer one
      const characters = row.text?.length ?? 0;
      context.characters += characters;
      await answers.put(row, key);
      await uses.put({ usedAtMs: context.ports.nowMs(), asOfMs: row.asOfMs, characters }, key);
    };
    await Promise.all([...rows.map(put), transaction.done]);
    return true;
  });
  const most = isWritten ? context.mostCharacters : context.mostCharacters / 2; // refused, most likely for want of room
  if (!isWritten || context.characters > context.mostCharacters / 20) await makeRoom(context, most);
}

function toRow({ hashes }: Context, owner: string, { hash, value, asOfMs, sources }: Waiting): Row {
  const object = typeof value === "object" && value !== null ? value : null;
  const equal = object && hashes.get(object);
  if (equal && equal !== hash) return { text: null, equals: toKey(owner, equal), asOfMs, sources: [] };
  if (object !== null) hashes.set(object, hash);
  return { text: JSON.stringify(value), equals: null, asOfMs, sources };
}

/** Drops what has not been used for longest; a row whose equal is gone is read as if there were none. */
async function makeRoom(context: Context, most: number): Promise<void> {
  context.characters = 0;
  await context.use(undefined, async (database) => {
    const transaction = database.transaction(["answers", "uses"], "readwrite");
    const uses = transaction.objectStore("uses");
    const [keys, all] = await Promise.all([uses.getAllKeys(), uses.getAll()]);
    let characters = all.reduce((sum, use) => sum + use.characters, 0);
    if (characters <= most) return;
    const oldest = keys.map((key, index) => ({ key, ...(all[index] as Use) })).sort((a, b) => a.usedAtMs - b.usedAtMs);
    for (const { key, characters: own } of oldest) {
      if (characters <= most * LEFT) break;
      characters -= own;
      void transaction.objectStore("answers").delete(key);
      void uses.delete(key);
    }
    await transaction.done;
  });
}

async function dropOthers({ owner, use }: Context): Promise<void> {
  const own = await owner().catch(() => null);
  if (own === null) return;
  const others = [IDBKeyRange.upperBound(toKey(own, ""), true), IDBKeyRange.lowerBound(toKey(own, "\uffff"), true)];
  await use(undefined, async (database) => {
    const transaction = database.transaction(["answers", "uses"], "readwrite");
    const stores = [transaction.objectStore("answers"), transaction.objectStore("uses")];
    await Promise.all([...stores.flatMap((store) => others.map((range) => store.delete(range))), transaction.done]);
  });
}
