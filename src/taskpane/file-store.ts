/** Makes the new value of what the file holds under a name; undefined removes it. */
type Change = (stored: unknown) => unknown;

/** Values that wait for the next decision, by name. */
const waiting = new Map<string, Change>();

const findSettings = (): Office.Settings | undefined =>
  typeof Office === "undefined" ? undefined : Office.context?.document?.settings;

/** Reads what the workbook's file holds under a name of the add-in; null or undefined for nothing. */
export const readStored = (name: string): unknown => findSettings()?.get(name);

/**
 * Stores with the next decision what can be derived again, and so is never written by itself: each write to the workbook
 * ends the person's undo (office-js #3141).
 */
export function storeLater(name: string, change: Change): void {
  waiting.set(name, change);
}

/**
 * Stores a person's decisions at once, and in the same write all that waits; without a decision what waits. It reaches
 * the file with the next save.
 *
 * @throws Error in Office's words
 */
export async function store(...decided: (readonly [name: string, change: Change])[]): Promise<void> {
  const settings = findSettings();
  const changes = [...waiting, ...decided]; // a decision may be on what waits
  if (settings === undefined || changes.length === 0) return;
  waiting.clear();
  for (const [name, change] of changes) {
    const value = change(settings.get(name));
    if (value === undefined) settings.remove(name);
    else settings.set(name, value);
  }
  const { status, error } = await new Promise<Office.AsyncResult<void>>((resolve) => settings.saveAsync(resolve));
  if (status === Office.AsyncResultStatus.Failed) throw new Error(error.message);
}

/** Stores as {@link store} does, where nothing is lost for this page if Office refuses. */
export const tryToStore = (...decided: Parameters<typeof store>): void => void store(...decided).catch(() => {});
