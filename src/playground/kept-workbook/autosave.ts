import { createId, type StoredWorkbook, type Unsaved, type WorkbookStore } from "./store";

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
  /** Called where another window has changed the workbook too, so that this one was saved beside it. */
  onSplit(): void;
}

/** From a change to its save. */
const DELAY_MS = 1_000;

/** Saves the open workbook some moments after a change; the page begins with a workbook before anything changes. */
export class Autosave {
  readonly #options: AutosaveOptions;
  #workbook: Unsaved = { id: createId(), name: "" };
  #hasContent = false;
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

  /** Whether the open workbook has been changed, by now or before. */
  get hasContent(): boolean {
    return this.#hasContent;
  }

  /** Whether changes could not be saved. */
  get isFailing(): boolean {
    return this.#isFailing && this.#isChanged;
  }

  /** Goes on with a stored workbook, which has been opened. */
  resume({ id, name, version, savedAtMs }: StoredWorkbook): void {
    this.#begin({ id, name, version }, { kind: "saved", atMs: savedAtMs });
  }

  /** Begins a workbook, which takes the stored one's place at its first change. */
  replace(name: string): void {
    this.#begin({ ...this.#workbook, name }, { kind: "unchanged" });
  }

  /** Begins a workbook that is no change of the stored one. */
  leaveStored(name: string): void {
    this.#begin({ id: createId(), name }, { kind: "unchanged" });
  }

  /** Plans a save. The pane sets up each new workbook: its settings alone do not make one that is worth to be kept. */
  change(isContent = true): void {
    if (!this.#hasContent && !isContent) return;
    this.#hasContent = true;
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

  #begin(workbook: Unsaved, state: SaveState): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#workbook = workbook;
    this.#hasContent = state.kind === "saved";
    this.#isChanged = false;
    this.#isFailing = false;
    this.#options.onState(state);
  }

  async #save(): Promise<void> {
    const { store, read, onState, onSplit } = this.#options;
    if (!this.#isChanged) return;
    const former = this.#workbook;
    if (!store) return this.#fail("missing");
    this.#isChanged = false;
    this.#isSaving = true;
    try {
      const { id, version, savedAtMs } = await store.save(former, read());
      this.#isFailing = false;
      this.#workbook = { ...this.#workbook, id, version };
      onState(this.#isChanged ? { kind: "saving" } : { kind: "saved", atMs: savedAtMs });
      if (id !== former.id) onSplit();
    } catch (error) {
      this.#fail((error as Partial<DOMException>).name === "QuotaExceededError" ? "full" : "refused");
    } finally {
      this.#isSaving = false;
    }
  }

  #fail(reason: "full" | "refused" | "missing"): void {
    this.#isChanged = true;
    this.#isFailing = true;
    this.#options.onState({ kind: "failed", reason });
  }
}
