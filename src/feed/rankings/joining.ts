import { foldCode, foldName, foldWhole } from "../names/folding";
import type { Entry, RankedList } from "./ranked-list";

/** What is the same company, or industry, in several rankings. */
export interface Identity extends Pick<Entry, "key" | "code"> {
  /** Its names in all of them: a company may be renamed. */
  readonly names: readonly string[];
}

/** Gives the identity of a row among these rankings. */
export function toIdentity({ key, code, name }: Entry, lists: readonly RankedList[]): Identity {
  const names = new Set([name]);
  for (const { byKey } of lists) for (const each of byKey.get(key) ?? []) names.add(each.name);
  return { key, code, names: [...names] };
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
  const { key, code } = identity;
  const own = list.byKey.get(key) ?? [];
  if (own.length > 1) return "uncertain";
  const [entry] = own;
  if (code !== null && entry !== undefined) return entry;
  // Only the whole ranking shows that nothing else has the name.
  if (code === null && !list.isWhole) return "uncertain";
  const others = listNamesakes(list, identity).filter((each) => each !== entry);
  if (others.some((other) => code === null || other.code === null)) return "uncertain";
  return entry ?? (list.isWhole ? "absent" : "unread");
}

const listNamesakes = ({ byName }: RankedList, { names }: Identity): readonly Entry[] =>
  names.flatMap((name) => byName.get(name) ?? []);

/** Lists the rows that could be the same, for a sentence. */
export const listAlike = (list: RankedList, identity: Identity): readonly Entry[] => [
  ...new Set([...(list.byKey.get(identity.key) ?? []), ...listNamesakes(list, identity)]),
];

/** Gives what a text means in rankings: one row, none, or one of each that it could mean. */
export type Naming = (text: string) => readonly Entry[];

type Index = ReadonlyMap<string, ReadonlyMap<string, Entry>>;

/**
 * Makes the lookup of texts over all rankings together, so that a text means the same in each: by the code, else by the
 * whole name, else by the name without its legal form.
 */
export function createNaming(lists: readonly RankedList[]): Naming {
  let [whole, short]: (Index | null)[] = [null, null];
  return (text) => {
    const code = foldCode(text);
    const coded = lists.find(({ byKey }) => byKey.has(code))?.byKey.get(code);
    if (coded !== undefined) return coded.slice(0, 1);
    whole ??= indexNames(lists, foldWhole);
    const named = whole.get(foldWhole(text));
    if (named !== undefined) return [...named.values()];
    short ??= indexNames(lists, foldName);
    return [...(short.get(foldName(text))?.values() ?? [])];
  };
}

/** Indexes rows by their names, each once. */
function indexNames(lists: readonly RankedList[], fold: (name: string) => string): Index {
  const index = new Map<string, Map<string, Entry>>();
  const seen = new Map<string, string>();
  for (const { entries } of lists) {
    for (const entry of entries) {
      if (seen.get(entry.key) === entry.name) continue;
      seen.set(entry.key, entry.name);
      const text = fold(entry.name);
      const known = index.get(text) ?? new Map<string, Entry>();
      index.set(text, known.set(entry.key, entry));
    }
  }
  return index;
}
