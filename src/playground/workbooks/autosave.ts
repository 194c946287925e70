import type { StoredWorkbook, Unsaved, WorkbookStore } from "./store";

/** What has become of the open workbook's changes. */
export type SaveState =
  | { kind: "unchanged" }
  | { kind: "saving" }
  | { kind: "saved"; atMs: number }
  /** The browser's storage is full, refuses, or is missing. */
  | { kind: "failed"; reason: "full" | "refused" | "missing" };

interface AutosaveOptions {
  /** Absent where the browser keeps nothing. */
  store: WorkbookStore | undefined;
  /** Returns the open workbook as text. */
  read(): string;
  onState(state: SaveState): void;
  /** Called after a save, which may have given the workbook another name and id. */
  onSave(saved: StoredWorkbook, former: Unsaved): void;
}

/** From a change to its save. */
const DELAY_MS = 1_000;

/** Saves the open workbook some moments after a change; the page calls `begin` before anything changes. */
export class Autosave {
  readonly #options: AutosaveOptions;
  #workbook: Unsaved = { id: "", name: "" };
  #isChanged = false;
  #isSaving = false;
  #isFailing = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Saves come one after the other, since each needs the version of the one before. */
  #saving = Promise.resolve();

  constructor(options: AutosaveOptions) {
    this.#options = options;
  }

  /** The open workbook. */
  get workbook(): Unsaved {
    return this.#workbook;
  }

  /** Whether changes could not be saved. */
  get isFailing(): boolean {
    return this.#isFailing && this.#isChanged;
  }

  /** Sets the workbook that has been opened. */
  begin({ id, name, version }: Unsaved, savedAtMs?: number): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#workbook = { id, name, ...(version !== undefined && { version }) };
    this.#isChanged = false;
    this.#isFailing = false;
    this.#options.onState(savedAtMs === undefined ? { kind: "unchanged" } : { kind: "saved", atMs: savedAtMs });
  }

  /** Sets the name for the next save. */
  rename(name: string): void {
    this.#workbook = { ...this.#workbook, name };
  }

  /** Plans a save. The pane sets up each new workbook: its settings alone do not make one that is worth a place in the list. */
  change(isContent = true): void {
    const isNew = this.#workbook.version === undefined && !this.#isChanged && !this.#isSaving;
    if (isNew && !isContent) return;
    this.#isChanged = true;
    if (this.#timer !== undefined) return;
    if (!this.#isFailing) this.#options.onState({ kind: "saving" });
    this.#timer = setTimeout(() => void this.flush(), DELAY_MS);
  }

  /** Saves what has changed at once; resolves when it is saved or has failed. */
  flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#saving = this.#saving.then(() => this.#save());
    return this.#saving;
  }

  /** Stores what is not saved yet while the page closes. */
  leave(): void {
    const { store, read } = this.#options;
    if (this.#isChanged || this.#isSaving) void store?.leave(this.#workbook, read()).catch(() => {});
  }

  async #save(): Promise<void> {
    const { store, read } = this.#options;
    if (!this.#isChanged) return;
    const former = this.#workbook;
    if (!store) return this.#fail(former, "missing");
    this.#isChanged = false;
    this.#isSaving = true;
    try {
      this.#finish(former, await store.save(former, read()));
    } catch (error) {
      this.#fail(former, (error as Partial<DOMException>).name === "QuotaExceededError" ? "full" : "refused");
    } finally {
      this.#isSaving = false;
    }
  }

  #finish(former: Unsaved, saved: StoredWorkbook): void {
    if (this.#workbook.id !== former.id) return; // another has been opened meanwhile
    const { id, name, version, savedAtMs } = saved;
    this.#isFailing = false;
    this.#workbook = { id, name: this.#workbook.name === former.name ? name : this.#workbook.name, version };
    this.#options.onState(this.#isChanged ? { kind: "saving" } : { kind: "saved", atMs: savedAtMs });
    this.#options.onSave(saved, former);
  }

  #fail(former: Unsaved, reason: "full" | "refused" | "missing"): void {
    if (this.#workbook.id !== former.id) return;
    this.#isChanged = true;
    this.#isFailing = true;
    this.#options.onState({ kind: "failed", reason });
  }
}
