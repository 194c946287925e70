import { LIMITS_OF_PAGE, XlsxRefused } from "../xlsx/package";
import { createId, type StoredWorkbook, type Unsaved, type WorkbookStore } from "./kept-workbook/store";
import { createWorkbookView, type SaveState, type WorkbookView } from "./kept-workbook/view";
import type { Saved, Sheets } from "./playground";
import type { Texts } from "./texts";

type Snapshot = object & Partial<Saved>;

interface KeptWorkbookOptions {
  root: Document;
  texts: Texts;
  language: string;
  sheets: Pick<Sheets, "open" | "save">;
  /** Absent where the browser keeps nothing. */
  store: WorkbookStore | undefined;
  /** The sample workbook; absent on a provider's data. */
  sample: Sample | undefined;
  excel: ExcelFiles;
  /** Opens a workbook by a page of the add-in that knows none before it. */
  inNewPage(open: () => Promise<void>): Promise<void>;
}

interface ExcelFiles {
  /** Writes a workbook; default the open one. */
  write(snapshot?: Snapshot): Promise<Uint8Array<ArrayBuffer>>;
  /**
   * @param onUnreadable called where some of the add-in's settings are left out
   * @throws XlsxRefused
   */
  read(bytes: Uint8Array, onUnreadable: () => void): Snapshot;
}

interface Sample {
  create(): Snapshot;
  /** Called when it has been opened. */
  start(): void;
}

/** The workbook that this browser keeps: saved as it changes, and replaced by a new one or an Excel file. */
export class KeptWorkbook {
  readonly #options: KeptWorkbookOptions;
  readonly #autosave: Autosave;
  readonly #view: WorkbookView;

  constructor(options: KeptWorkbookOptions) {
    const { root, texts, language, sheets, store, sample } = options;
    this.#options = options;
    this.#view = createWorkbookView(root, texts, language, {
      create: () => void this.#create(),
      ...(sample && { createSample: () => void this.#createSample() }),
      open: () => void this.#upload(),
      download: () => void this.#download(),
    });
    this.#autosave = new Autosave({
      store,
      read: () => JSON.stringify(sheets.save()),
      onState: (state) => this.#view.showState(state),
      onSplit: () => this.#view.showNote(texts.split),
    });
    this.#watchLeaving();
  }

  /** Opens the workbook that was open last, else a new one, and offers the others that the browser has. */
  async openLast(): Promise<void> {
    const { store, texts } = this.#options;
    const stored = (await store?.list().catch(() => [])) ?? [];
    const isOpen = stored[0] !== undefined && (await this.#openStored(stored[0]));
    if (!isOpen) await this.#openFirst();
    if (!store) this.#view.showNote(texts.keepsNothing);
    this.#offer(stored.slice(isOpen ? 1 : 0));
  }

  /** Opens a workbook that the browser does not keep, for scripts. */
  async openUnkept(snapshot: object): Promise<void> {
    await this.#autosave.flush();
    await this.#options.sheets.open(snapshot);
    this.#autosave.leaveStored(this.#options.texts.scripted);
    this.#view.showName(this.#options.texts.scripted);
  }

  /** Opens a stored workbook; tells where it cannot be read, and returns false. */
  async #openStored(workbook: StoredWorkbook): Promise<boolean> {
    const { store, texts } = this.#options;
    try {
      await this.#openSheets(JSON.parse((await store?.read(workbook.id)) ?? ""));
    } catch {
      this.#view.showNote(texts.broken(workbook.name));
      return false;
    }
    this.#autosave.resume(workbook);
    this.#view.showName(workbook.name);
    return true;
  }

  /** Opens the sample, or an empty workbook where there is none. */
  async #openFirst(): Promise<void> {
    const { texts, sample } = this.#options;
    await this.#open(sample ? texts.sampleWorkbook : texts.newWorkbook, sample?.create());
    sample?.start();
  }

  async #open(name: string, snapshot?: Snapshot): Promise<void> {
    await this.#autosave.flush();
    await this.#openSheets(snapshot);
    this.#autosave.replace(name);
    this.#view.showName(name);
  }

  #openSheets(snapshot?: Snapshot): Promise<void> {
    return this.#options.sheets.open(snapshot, (isContent) => this.#autosave.change(isContent));
  }

  async #create(): Promise<void> {
    const { texts, inNewPage } = this.#options;
    if (await this.#mayReplace()) await inNewPage(() => this.#open(texts.newWorkbook));
  }

  async #createSample(): Promise<void> {
    if (await this.#mayReplace()) await this.#options.inNewPage(() => this.#openFirst());
  }

  /** Asks before the open workbook is replaced, where it holds anything of a person; offers to download it first. */
  async #mayReplace(): Promise<boolean> {
    const { texts } = this.#options;
    const { hasContent, workbook } = this.#autosave;
    this.#view.showNote("");
    if (!hasContent) return true;
    const answers = { replace: texts.replace, download: texts.downloadFirst };
    const answer = await this.#view.ask(texts.replaceTitle(workbook.name), answers);
    return answer === "download" ? this.#download() : answer === "replace";
  }

  async #upload(): Promise<void> {
    const { root, texts, excel, sheets, inNewPage } = this.#options;
    const file = await chooseFile(root);
    if (!file) return;
    const before = JSON.parse(JSON.stringify(sheets.save()));
    try {
      if (file.size > LIMITS_OF_PAGE.bytes) throw new XlsxRefused("large");
      let note = "";
      const snapshot = excel.read(new Uint8Array(await file.arrayBuffer()), () => {
        note = texts.settingsLeftOut(file.name);
      });
      if (!(await this.#mayReplace())) return;
      await inNewPage(() => this.#open(file.name.replace(/\.\w+$/, ""), snapshot));
      this.#autosave.change();
      this.#view.showNote(note);
    } catch (error) {
      // The engine refuses some workbooks only when it opens them, and then shows none.
      if (!(error instanceof XlsxRefused)) await this.#openSheets(before);
      this.#view.showNote(texts.refusedFile[error instanceof XlsxRefused ? error.reason : "damaged"](file.name));
    }
  }

  /** Downloads a workbook, by default the open one; returns false where it cannot be written. */
  async #download({ name } = this.#autosave.workbook, snapshot?: Snapshot): Promise<boolean> {
    const { root, texts, excel } = this.#options;
    try {
      downloadFile(root, name, await excel.write(snapshot));
      return true;
    } catch {
      this.#view.showNote(texts.notWritten);
      return false;
    }
  }

  #offer(others: readonly StoredWorkbook[]): void {
    const { store, texts } = this.#options;
    this.#view.showOthers(others, {
      download: async (other) => {
        try {
          await this.#download(other, JSON.parse((await store?.read(other.id)) ?? ""));
        } catch {
          this.#view.showNote(texts.broken(other.name));
        }
      },
      remove: async () => {
        if (!(await this.#view.ask(texts.removeTitle, { remove: texts.remove }))) return;
        await store?.remove(others.map(({ id }) => id)).catch(() => {});
        this.#offer([]);
      },
    });
  }

  /** Saves when the page is hidden, left or shown again; asks to stay only where changes could not be saved. */
  #watchLeaving(): void {
    const { root } = this.#options;
    root.addEventListener("visibilitychange", () => root.hidden && void this.#autosave.flush());
    window.addEventListener("pagehide", () => this.#autosave.leave());
    window.addEventListener("pageshow", (event) => event.persisted && void this.#autosave.flush());
    window.addEventListener("beforeunload", (event) => {
      if (this.#autosave.isFailing) event.preventDefault();
    });
  }
}

/** Asks for an Excel file; undefined where the person chooses none. */
function chooseFile(root: Document): Promise<File | undefined> {
  const input = Object.assign(root.createElement("input"), { type: "file", accept: ".xlsx,.xlsm" });
  return new Promise((resolve) => {
    input.addEventListener("change", () => resolve(input.files?.[0]));
    input.addEventListener("cancel", () => resolve(undefined));
    input.click();
  });
}

const XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";
/** What Windows does not allow in a file's name. */
const NOT_IN_NAMES = /[\\/:*?"<>|]/g;
/** Long enough for the browser to begin the download. */
const ADDRESS_LIFETIME_MS = 60_000;

/** Offers a workbook's bytes as a download. */
function downloadFile(root: Document, name: string, bytes: Uint8Array<ArrayBuffer>): void {
  const href = URL.createObjectURL(new Blob([bytes], { type: XLSX }));
  Object.assign(root.createElement("a"), { href, download: `${name.replace(NOT_IN_NAMES, "_")}.xlsx` }).click();
  setTimeout(() => URL.revokeObjectURL(href), ADDRESS_LIFETIME_MS);
}

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
