/** Makes the new value of what the file holds under a name; undefined removes it. */
type Change = (stored: unknown) => unknown;

type NamedChange = readonly [name: string, change: Change];

/** What a workbook's file holds for the add-in, by name. Each page has a copy of it, and several people may change it. */
export interface FileStore {
  /** Reads what is stored under a name; undefined for nothing. */
  read(name: string): unknown;
  /**
   * Stores with the next decision what can be derived again, and so is never written by itself: each write to the
   * workbook ends the person's undo (office-js #3141).
   */
  storeLater(name: string, change: Change): void;
  /**
   * Stores a person's decisions at once, and in the same write all that waits; without a decision what waits. What
   * other people have stored meanwhile stays, entry by entry. It reaches the file with the next save.
   *
   * @throws Error in Office's words; the decisions then wait for the next one
   */
  store(...decided: NamedChange[]): Promise<void>;
  /**
   * Calls back when other people's decisions have come, which `read` then has.
   *
   * @param listener receives what a name held before
   */
  onOthers(listener: (before: (name: string) => unknown) => void): void;
}

/** A change of what a name held when a person made it. */
interface Decision {
  name: string;
  base: unknown;
  mine: unknown;
  /** Whether nobody decided it: then what others have stored counts more. */
  isDerived: boolean;
}

/** A host that never answers must keep no decision and no insertion waiting for ever. */
const LONGEST_REFRESH_MS = 5_000;
const LONGEST_SAVE_MS = 30_000;

/** @param find gives the host's settings of the workbook; undefined where it has none */
export function createFileStore(find: () => Office.Settings | undefined): FileStore {
  const names = new Set<string>();
  const waiting = new Map<string, Change>();
  let pending: readonly Decision[] = [];
  let tell: (before: (name: string) => unknown) => void = () => {};
  let queue: Promise<unknown> = Promise.resolve();
  const readCopy = (name: string): unknown => find()?.get(name) ?? undefined;
  const read = (name: string): unknown => {
    names.add(name);
    return pending.filter((decision) => decision.name === name).reduce(withDecision, readCopy(name));
  };
  /** Has changes made of what their names hold now. */
  const decide = (changes: Iterable<NamedChange>, isDerived: boolean) => {
    if (find() === undefined) return;
    for (const [name, change] of changes) {
      const base: unknown = structuredClone(read(name));
      const mine = change(base);
      if (!isEqual(base, mine)) pending = [...pending, { name, base, mine, isDerived }];
    }
  };
  /** Brings the decisions and the file together in this page's copy, and tells what others have changed. */
  const renew = async (settings: Office.Settings): Promise<readonly Decision[]> => {
    const before = new Map([...names].map((name) => [name, structuredClone(readCopy(name))]));
    await refresh(settings);
    const isByOthers = [...before].some(([name, value]) => !isEqual(value, readCopy(name)));
    for (const { name } of pending) {
      const value = read(name);
      if (value === undefined) settings.remove(name);
      else settings.set(name, value);
    }
    if (isByOthers) tell((name) => before.get(name));
    return pending;
  };
  const inTurn = (work: (settings: Office.Settings) => Promise<unknown>): Promise<void> => {
    const settings = find();
    if (settings === undefined) return Promise.resolve();
    const done = queue.then(() => work(settings)).then(() => {});
    queue = done.catch(() => {});
    return done;
  };
  return {
    read,
    storeLater: (name, change) => void waiting.set(name, change),
    store(...decided) {
      decide(waiting, true);
      decide(decided, false); // a decision may be on what waits
      waiting.clear();
      return inTurn(async (settings) => {
        if (pending.length === 0) return;
        const renewed = await renew(settings);
        await save(settings);
        pending = pending.filter((decision) => !renewed.includes(decision));
      });
    },
    onOthers(listener) {
      tell = listener;
      find()?.addHandlerAsync?.(Office.EventType.SettingsChanged, () => void inTurn(renew));
    },
  };
}

/** A value with a decision; where others have changed the same, the decision counts, and not what nobody decided. */
const withDecision = (value: unknown, { base, mine, isDerived }: Decision): unknown =>
  isDerived ? merge(base, value, mine) : merge(base, mine, value);

/** Gives what the host answers; undefined where it does not within a time. */
const withLimit = <T>(longestMs: number, ask: (answer: (value: T) => void) => void): Promise<T | undefined> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, longestMs, undefined);
    ask((value) => {
      clearTimeout(timer);
      resolve(value);
    });
  });

/** Reads the file anew into this page's copy, where the host can. */
async function refresh(settings: Office.Settings): Promise<void> {
  if (settings.refreshAsync === undefined) return;
  await withLimit(LONGEST_REFRESH_MS, (answer) => settings.refreshAsync(answer));
}

async function save(settings: Office.Settings): Promise<void> {
  const saved = await withLimit<Office.AsyncResult<void>>(LONGEST_SAVE_MS, (answer) => settings.saveAsync(answer));
  if (saved === undefined) throw new Error("Excel did not answer.");
  if (saved.status === Office.AsyncResultStatus.Failed) throw new Error(saved.error.message);
}

const own = createFileStore(() => (typeof Office === "undefined" ? undefined : Office.context?.document?.settings));

export const { read: readStored, storeLater, store, onOthers } = own;

/** Stores as {@link store} does, where nothing is lost for this page if Office refuses. */
export const tryToStore = (...decided: Parameters<typeof store>): Promise<void> => store(...decided).catch(() => {});

type Values = Readonly<Record<string, unknown>>;

/** Whether two values are one as JSON; undefined is null. */
export const isEqual = (one: unknown, other: unknown): boolean =>
  JSON.stringify(one ?? null) === JSON.stringify(other ?? null);

/**
 * Brings two people's changes together: by field of an object, and by entry of a list or of a field that is one. Where
 * both have changed one of these, mine counts whole; what only one has removed is removed.
 *
 * @param base what both had before; undefined for nothing, as in the others
 */
export function merge(base: unknown, mine: unknown, theirs: unknown): unknown {
  if (isEqual(theirs, base) || isEqual(mine, base)) return choose(base, mine, theirs);
  const [mineByName, theirsByName] = [toEntries(mine), toEntries(theirs)];
  if (mineByName === null || theirsByName === null || Array.isArray(mine) !== Array.isArray(theirs)) {
    return choose(base, mine, theirs);
  }
  const baseByName = toEntries(base) ?? new Map();
  const mergeEntry = (name: string) => {
    const three = [baseByName.get(name), mineByName.get(name), theirsByName.get(name)] as const;
    return three.slice(1).every(Array.isArray) ? merge(...three) : choose(...three);
  };
  const names = new Set([...mineByName.keys(), ...theirsByName.keys()]);
  const entries = [...names]
    .map((name) => [name, mergeEntry(name)] as const)
    .filter(([, entry]) => entry !== undefined);
  return Array.isArray(mine) ? entries.map(([, entry]) => entry) : Object.fromEntries(entries);
}

function choose(base: unknown, mine: unknown, theirs: unknown): unknown {
  if (isEqual(theirs, base)) return mine;
  return isEqual(mine, base) ? theirs : (mine ?? theirs);
}

/** The fields of an object, or the entries of a list by what names each; null for anything else. */
function toEntries(value: unknown): ReadonlyMap<string, unknown> | null {
  if (typeof value !== "object" || value === null) return null;
  if (!Array.isArray(value)) return new Map(Object.entries(value as Values));
  const named = value.map((entry) => [toName(Object(entry)), entry] as const);
  return named.every(([name]) => name !== null) ? new Map(named as [string, unknown][]) : null;
}

/** A dismissal has a key; a made sheet and a company of the workbook have names, the latter by country and family. */
function toName({ key, name, country = "", family = "" }: Values): string | null {
  if (typeof key === "string") return key;
  return typeof name === "string" ? `${country} ${family} ${name}` : null;
}
