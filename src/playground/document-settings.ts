type Values = Record<string, unknown>;

/** What add-ins keep in the open workbook: Office's `document.settings`, which changes a copy until it is saved. */
export interface DocumentSettings {
  get(name: string): unknown;
  set(name: string, value: unknown): void;
  remove(name: string): void;
  /** Takes the copy into the workbook. */
  saveAsync(done?: (result: { status: "succeeded" }) => void): void;
}

/** The same with what the workbook's side of it does. */
interface PersistedSettings extends DocumentSettings {
  /** Takes what an opened workbook holds. */
  open(kept?: Values): void;
  /** Gives what the workbook is to keep. */
  read(): Values;
}

export function createDocumentSettings(): PersistedSettings {
  let kept = "{}"; // JSON, so that nothing of the pane's page is shared
  let copy: Values = {};
  return {
    get: (name) => copy[name] ?? null,
    set(name, value) {
      copy[name] = value;
    },
    remove(name) {
      delete copy[name];
    },
    saveAsync(done) {
      kept = JSON.stringify(copy);
      queueMicrotask(() => done?.({ status: "succeeded" }));
    },
    open(values = {}) {
      kept = JSON.stringify(values);
      copy = JSON.parse(kept);
    },
    read: () => JSON.parse(kept),
  };
}
