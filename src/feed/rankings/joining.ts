import { foldCode } from "../names/folded-letters";
import { type Entry, inSteps, type RankedList, type Steps } from "./ranked-list";

/** What is the same company, or industry, in several rankings. */
export interface Identity extends Pick<Entry, "key" | "code"> {
  /** Its names in all of them: a company may be renamed. */
  readonly names: readonly string[];
  /** Whether other rows of its own ranking have its code, so that a code tells nothing of it in another. */
  readonly isShared: boolean;
}

/** Gives the identity of a row among these rankings. */
export function toIdentity(entry: Entry, lists: readonly RankedList[]): Identity {
  const { key, code, name } = entry;
  const names = [name];
  const add = (other: string) => {
    if (!names.includes(other)) names.push(other);
  };
  for (const { byKey, alike } of lists) {
    const same = byKey.get(key);
    if (same === undefined) continue;
    add(same.name);
    for (const each of alike.get(key) ?? []) add(each.name);
  }
  const isShared = lists.some(({ alike }) => alike.get(key)?.includes(entry));
  return { key, code, names, isShared };
}

/**
 * Why a ranking has no certain row for something:
 *
 * | reason | means |
 * |---|---|
 * | absent | the whole ranking has no such row |
 * | unread | the first rows have none |
 * | uncertain | several rows could be it, or one without a code that has its name |
 */
export type Missing = "absent" | "unread" | "uncertain";

/** Finds the one row that is certainly the same as in another ranking. */
export function findSame(list: RankedList, identity: Identity): Entry | Missing {
  const { key, code, isShared } = identity;
  if (isShared || list.alike.has(key)) return "uncertain";
  const entry = list.byKey.get(key);
  if (code !== null && entry !== undefined) return entry;
  // Only the whole ranking shows that nothing else has the name.
  if (code === null && !list.isWhole) return "uncertain";
  const others = listNamesakes(list, identity).filter((each) => each !== entry);
  if (others.some((other) => code === null || other.code === null)) return "uncertain";
  return entry ?? (list.isWhole ? "absent" : "unread");
}

const listNamesakes = (list: RankedList, { names }: Identity): readonly Entry[] =>
  names.flatMap((name) => list.byName(name));

/** Lists the rows that could be the same, for a sentence. */
export function listAlike(list: RankedList, identity: Identity): readonly Entry[] {
  const { key } = identity;
  const own = list.alike.get(key) ?? [list.byKey.get(key) ?? []].flat();
  return [...new Set([...own, ...listNamesakes(list, identity)])];
}

/** Finds a row by its code, in the first ranking that has it. */
export function findCoded(lists: readonly RankedList[], text: string): Entry | undefined {
  const code = foldCode(text);
  return lists.find(({ byKey }) => byKey.has(code))?.byKey.get(code);
}

/** The rows of a ranking by their folded names. */
export type NameIndex = ReadonlyMap<string, readonly Entry[]>;

export function* indexNames({ entries }: RankedList, fold: (name: string) => string): Steps<NameIndex> {
  const index = new Map<string, Entry[]>();
  yield* inSteps(entries, (entry) => {
    const text = fold(entry.name);
    const known = index.get(text);
    if (known === undefined) index.set(text, [entry]);
    else known.push(entry);
  });
  return index;
}

/** Finds what a folded name means in all rankings together: a row of each that it could be. */
export function findNamed(indexes: readonly NameIndex[], name: string): readonly Entry[] {
  const found = new Map<string, Entry>();
  for (const index of indexes) for (const entry of index.get(name) ?? []) found.set(entry.key, entry);
  return [...found.values()];
}
