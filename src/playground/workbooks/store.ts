import { type DBSchema, type IDBPDatabase, openDB } from "idb";
import { pickFreeName } from "./names";

/** A workbook in the list. */
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
  /** The snapshots as JSON, apart from the list. */
  snapshots: { key: string; value: string };
  /** What windows had not saved when they were closed; saved by the next window. */
  remains: { key: string; value: Unsaved & { snapshot: string } };
}

const DATABASE = "feed-playground";
/** Some browsers leave a request open for ever where they keep nothing. */
const PATIENCE_MS = 5_000;

/** The workbooks that this browser keeps. Each method throws a DOMException where the browser refuses. */
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
    /** Lists the workbooks, the last saved first. */
    list: () => use(list),
    /** Saves what windows had not saved when they were closed. */
    recover: () => use(recover),
    /** Reads a workbook, which becomes the last opened; undefined where it is gone. */
    open: (id: string) => use((database) => open(database, id)),
    /**
     * Saves a workbook under a free name. One that another window has saved meanwhile stays, and this one is saved
     * beside it, under another id.
     */
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
    /** Gives a workbook another name, or that with a number where it is taken. */
    rename: (id: string, name: string) => use((database) => rename(database, id, name)),
    remove: (id: string) => use((database) => remove(database, id)),
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
  return all.sort((one, other) => other.savedAtMs - one.savedAtMs);
}

async function open(database: IDBPDatabase<Schema>, id: string) {
  const transaction = begin(database);
  const [workbooks, snapshots] = [transaction.objectStore("workbooks"), transaction.objectStore("snapshots")];
  const [workbook, snapshot] = await Promise.all([workbooks.get(id), snapshots.get(id)]);
  if (workbook) await workbooks.put({ ...workbook, openedAtMs: Date.now() });
  await transaction.done;
  return workbook && snapshot !== undefined ? { workbook, snapshot } : undefined;
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
  const all = await workbooks.getAll();
  const present = all.find((each) => each.id === id);
  const isOthers = present !== undefined && present.version !== version;
  const taken = all.filter((each) => isOthers || each !== present).map((each) => each.name);
  const saved: StoredWorkbook = {
    id: isOthers ? createId() : id,
    name: pickFreeName(present?.name ?? name, taken),
    savedAtMs: Date.now(),
    openedAtMs: Date.now(),
    version: createId(),
  };
  await Promise.all([
    workbooks.put(saved),
    transaction.objectStore("snapshots").put(snapshot, saved.id),
    transaction.objectStore("remains").delete(id),
  ]);
  return saved;
}

async function rename(database: IDBPDatabase<Schema>, id: string, wanted: string): Promise<string> {
  const transaction = begin(database);
  const workbooks = transaction.objectStore("workbooks");
  const all = await workbooks.getAll();
  const present = all.find((each) => each.id === id);
  const name = pickFreeName(
    wanted,
    all.filter((each) => each !== present).map((each) => each.name),
  );
  if (present) await workbooks.put({ ...present, name });
  await transaction.done;
  return name;
}

async function remove(database: IDBPDatabase<Schema>, id: string): Promise<void> {
  const transaction = begin(database);
  for (const name of ["workbooks", "snapshots", "remains"] as const) await transaction.objectStore(name).delete(id);
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
