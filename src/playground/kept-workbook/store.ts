import { type DBSchema, type IDBPDatabase, openDB } from "idb";

/** A workbook that this browser keeps, without its content. */
export interface StoredWorkbook {
  id: string;
  name: string;
  savedAtMs: number;
  openedAtMs: number;
  /** Changes with each save, so that a window notices another one's. */
  version: string;
}

/** A workbook to be saved. */
export interface Unsaved {
  id: string;
  name: string;
  /** The version that the window has opened or saved; absent before the first save. */
  version?: string;
}

interface Schema extends DBSchema {
  workbooks: { key: string; value: StoredWorkbook };
  /** The snapshots as JSON. */
  snapshots: { key: string; value: string };
  /** What windows had not saved when they were closed; saved by the next window. */
  remains: { key: string; value: Unsaved & { snapshot: string } };
}

const DATABASE = "feed-playground";
/** Some browsers leave a request open for ever where they keep nothing. */
const PATIENCE_MS = 5_000;

/** What this browser keeps. Each method throws a DOMException where the browser refuses. */
export type WorkbookStore = ReturnType<typeof createStore>;

/** Opens the store; undefined where the browser keeps nothing, as in some private windows. */
export async function findStore(): Promise<WorkbookStore | undefined> {
  const store = createStore();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const impatience = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), PATIENCE_MS);
  });
  try {
    return await Promise.race([store.recover().then(() => store), impatience]);
  } catch {
    return undefined;
  } finally {
    clearTimeout(timer);
  }
}

function createStore() {
  const use = createUse();
  return {
    /** Lists the workbook that was open last; then what another window has changed, and what earlier versions kept. */
    list: () => use(list),
    /** Saves what windows had not saved when they were closed. */
    recover: () => use(recover),
    /** Reads a workbook's content; undefined where it is gone. */
    read: (id: string) => use((database) => database.get("snapshots", id)),
    /** Saves a workbook. One that another window has saved meanwhile stays, and this one is saved under another id. */
    save: (unsaved: Unsaved, snapshot: string) =>
      use(async (database) => {
        const transaction = begin(database);
        const saved = await put(transaction, unsaved, snapshot);
        await transaction.done;
        return saved;
      }),
    /** Stores a workbook while its window closes: by one write, since nothing is read any more. */
    leave: (unsaved: Unsaved, snapshot: string) =>
      use(async (database) => {
        const transaction = database.transaction("remains", "readwrite");
        transaction.done.catch(() => {});
        void transaction.store.put({ ...unsaved, snapshot }).catch(() => {});
        transaction.commit();
      }),
    remove: (ids: readonly string[]) => use((database) => remove(database, ids)),
  };
}

/** Opens the database at its first use, and anew once the browser or another window has closed it. */
function createUse() {
  let opened: Promise<IDBPDatabase<Schema>> | undefined;
  const leave = () => {
    void opened?.then((database) => database.close()).catch(() => {});
    opened = undefined;
  };
  return async <T>(run: (database: IDBPDatabase<Schema>) => Promise<T>): Promise<T> => {
    try {
      opened ??= openDB<Schema>(DATABASE, 1, {
        upgrade(database) {
          database.createObjectStore("workbooks", { keyPath: "id" });
          database.createObjectStore("snapshots");
          database.createObjectStore("remains", { keyPath: "id" });
        },
        blocking: leave,
        terminated: leave,
      });
      return await run(await opened);
    } catch (error) {
      leave();
      throw error;
    }
  };
}

async function list(database: IDBPDatabase<Schema>): Promise<StoredWorkbook[]> {
  const all = await database.getAll("workbooks");
  return all.sort((one, other) => other.openedAtMs - one.openedAtMs);
}

async function recover(database: IDBPDatabase<Schema>): Promise<void> {
  const transaction = begin(database);
  for (const { snapshot, ...unsaved } of await transaction.objectStore("remains").getAll()) {
    // The window's last save may have come through in spite of its end.
    const isSaved = (await transaction.objectStore("snapshots").get(unsaved.id)) === snapshot;
    if (isSaved) await transaction.objectStore("remains").delete(unsaved.id);
    else await put(transaction, unsaved, snapshot);
  }
  await transaction.done;
}

async function put(transaction: Transaction, { id, name, version }: Unsaved, snapshot: string) {
  const workbooks = transaction.objectStore("workbooks");
  const present = await workbooks.get(id);
  const isOthers = present !== undefined && present.version !== version;
  const nowMs = Date.now();
  const saved: StoredWorkbook = {
    id: isOthers ? createId() : id,
    name,
    savedAtMs: nowMs,
    openedAtMs: nowMs,
    version: createId(),
  };
  await Promise.all([
    workbooks.put(saved),
    transaction.objectStore("snapshots").put(snapshot, saved.id),
    transaction.objectStore("remains").delete(id),
  ]);
  return saved;
}

async function remove(database: IDBPDatabase<Schema>, ids: readonly string[]): Promise<void> {
  const transaction = begin(database);
  for (const name of ["workbooks", "snapshots", "remains"] as const)
    for (const id of ids) await transaction.objectStore(name).delete(id);
  await transaction.done;
}

type Transaction = ReturnType<typeof begin>;

function begin(database: IDBPDatabase<Schema>) {
  const transaction = database.transaction(["workbooks", "snapshots", "remains"], "readwrite");
  transaction.done.catch(() => {}); // the requests report the error
  return transaction;
}

/** A random id; `crypto.randomUUID` is missing on plain HTTP. */
export function createId(): string {
  return [...crypto.getRandomValues(new Uint32Array(4))].map((part) => part.toString(36)).join("-");
}
