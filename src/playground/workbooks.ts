import type { Saved, Sheets } from "./playground";
import type { Texts } from "./texts";
import { Autosave } from "./workbooks/autosave";
import type { WorkbookCommand } from "./workbooks/commands";
import { createDialogs, type Dialogs } from "./workbooks/dialogs";
import { chooseFile, downloadFile } from "./workbooks/files";
import { createWorkbookMenu, type WorkbookMenu } from "./workbooks/menu";
import { LONGEST_NAME, pickFreeName } from "./workbooks/names";
import { createId, type StoredWorkbook, type WorkbookStore } from "./workbooks/store";
import { LARGEST_BYTES, XlsxRefused } from "./xlsx/archive";

type Snapshot = object & Partial<Saved>;

interface WorkbooksOptions {
  root: Document;
  texts: Texts;
  language: string;
  sheets: Pick<Sheets, "open" | "save">;
  /** Absent where the browser keeps nothing. */
  store: WorkbookStore | undefined;
  /** The sample workbook; absent on a provider's data. */
  sample: Sample | undefined;
  excel: ExcelFiles;
}

interface ExcelFiles {
  write(): Promise<Uint8Array<ArrayBuffer>>;
  /** @throws XlsxRefused */
  read(bytes: Uint8Array): object;
}

interface Sample {
  create(): Snapshot;
  /** Called when it has been opened. */
  start(): void;
}

/** The workbooks of this browser: opens one, saves it as it changes, and offers the others. */
export class Workbooks {
  readonly #options: WorkbooksOptions;
  readonly #autosave: Autosave;
  readonly #menu: WorkbookMenu;
  readonly #dialogs: Dialogs;

  constructor(options: WorkbooksOptions) {
    const { root, texts, language, sheets, store } = options;
    this.#options = options;
    const clock = new Intl.DateTimeFormat(language, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
    this.#dialogs = createDialogs(root, texts);
    this.#menu = createWorkbookMenu(
      root,
      texts,
      (ms) => clock.format(ms),
      (command) => void this.#run(command),
      (command) => isOffered(command, options),
    );
    this.#autosave = new Autosave({
      store,
      read: () => JSON.stringify(sheets.save()),
      onState: (state) => this.#menu.showState(state),
      onSave: (saved, former) => {
        this.#show(this.#autosave.workbook.name);
        if (saved.id !== former.id) this.#menu.showNote(texts.split(former.name, saved.name));
      },
    });
    this.#watchLeaving();
  }

  /** Opens the window's own workbook again, else the last opened, else a new one. */
  async openLast(): Promise<void> {
    const { store, texts } = this.#options;
    const stored = (await store?.list().catch(() => [])) ?? [];
    const ids = stored.toSorted((one, other) => other.openedAtMs - one.openedAtMs).map(({ id }) => id);
    const own = readOwnId();
    const id = own !== undefined && ids.includes(own) ? own : ids[0];
    if (id === undefined || !(await this.#openStored(id))) await this.#createFirst();
    if (!store) this.#menu.showNote(texts.keepsNothing);
  }

  /** Opens a new workbook, which is saved at its first change. */
  async create(name: string, snapshot?: Snapshot): Promise<void> {
    const stored = (await this.#options.store?.list().catch(() => [])) ?? [];
    const taken = stored.map((workbook) => workbook.name);
    await this.#open(snapshot, { id: createId(), name: pickFreeName(name, taken) });
  }

  /** Opens a workbook that the browser does not keep, for scripts. */
  async openUnkept(snapshot: object): Promise<void> {
    await this.#autosave.flush();
    await this.#options.sheets.open(snapshot);
    this.#autosave.begin({ id: createId(), name: "" });
    this.#show(this.#options.texts.scripted);
  }

  /** Opens the sample, or an empty workbook where there is none. */
  async #createFirst(): Promise<void> {
    const { texts, sample } = this.#options;
    await this.create(sample ? texts.sampleWorkbook : texts.newWorkbook, sample?.create());
    sample?.start();
  }

  async #open(snapshot: Snapshot | undefined, workbook: Autosave["workbook"], savedAtMs?: number): Promise<void> {
    await this.#options.sheets.open(snapshot, (isContent) => this.#autosave.change(isContent));
    this.#autosave.begin(workbook, savedAtMs);
    this.#show(workbook.name);
  }

  /** Opens a stored workbook; tells where it is gone or broken, and returns false. */
  async #openStored(id: string): Promise<boolean> {
    const { store, texts } = this.#options;
    const found = await store?.open(id).catch(() => undefined);
    try {
      if (!found) throw new Error("The workbook is gone.");
      const { workbook, snapshot } = found;
      await this.#open(JSON.parse(snapshot), workbook, workbook.savedAtMs);
      return true;
    } catch {
      this.#menu.showNote(found ? texts.broken(found.workbook.name) : texts.gone);
      return false;
    }
  }

  async #run(command: WorkbookCommand): Promise<void> {
    this.#menu.showNote("");
    if (command === "rename") return this.#rename();
    if (command === "remove") return this.#remove();
    if (command === "download") return this.#download();
    if (!(await this.#leave())) return;
    if (command === "create") return this.create(this.#options.texts.newWorkbook);
    if (command === "createSample") return this.#createFirst();
    if (command === "open") return this.#choose();
    if (command === "upload") return this.#upload();
    return this.#duplicate();
  }

  /** Saves the open workbook before another opens; returns false where it cannot and the person stays. */
  async #leave(): Promise<boolean> {
    const { texts } = this.#options;
    await this.#autosave.flush();
    return !this.#autosave.isFailing || this.#dialogs.confirm(texts.leaveUnsaved, texts.leave);
  }

  async #choose(): Promise<void> {
    const { store, texts, language } = this.#options;
    const format = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" });
    const stored: StoredWorkbook[] = (await store?.list().catch(() => [])) ?? [];
    const entries = stored.map(({ id, name, savedAtMs }) => {
      return { id, name, remark: format.format(savedAtMs), isCurrent: id === this.#autosave.workbook.id };
    });
    const id = await this.#dialogs.choose(texts.openWorkbook, entries, texts.noWorkbooks);
    if (id === undefined || id === this.#autosave.workbook.id) return;
    if (!(await this.#openStored(id))) await this.#reopen();
  }

  /** Shows a workbook again after another has failed to open. */
  async #reopen(): Promise<void> {
    const { id } = this.#autosave.workbook;
    const found = await this.#options.store?.open(id).catch(() => undefined);
    if (found) await this.#open(JSON.parse(found.snapshot), found.workbook, found.workbook.savedAtMs);
    else await this.#createFirst();
  }

  async #upload(): Promise<void> {
    const { root, texts, excel } = this.#options;
    const file = await chooseFile(root);
    if (!file) return;
    try {
      if (file.size > LARGEST_BYTES) throw new XlsxRefused("large");
      const snapshot = excel.read(new Uint8Array(await file.arrayBuffer()));
      await this.create(file.name.replace(/\.\w+$/, "").slice(0, LONGEST_NAME), snapshot);
      this.#autosave.change();
    } catch (error) {
      // The engine refuses some workbooks only when it opens them, and then shows none.
      if (!(error instanceof XlsxRefused)) await this.#reopen();
      this.#menu.showNote(texts.refusedFile[error instanceof XlsxRefused ? error.reason : "damaged"](file.name));
    }
  }

  async #download(): Promise<void> {
    const { root, texts, excel } = this.#options;
    try {
      downloadFile(root, this.#autosave.workbook.name, await excel.write());
    } catch {
      this.#menu.showNote(texts.notWritten);
    }
  }

  async #duplicate(): Promise<void> {
    const { name } = this.#autosave.workbook;
    await this.create(name, JSON.parse(JSON.stringify(this.#options.sheets.save())));
    this.#autosave.change();
  }

  async #rename(): Promise<void> {
    const { store, texts } = this.#options;
    const { id, name, version } = this.#autosave.workbook;
    const wanted = await this.#dialogs.askText({
      title: texts.renameTitle,
      button: texts.rename,
      value: name,
      longest: LONGEST_NAME,
    });
    if (wanted === undefined || wanted === name || id !== this.#autosave.workbook.id) return;
    const given = version === undefined ? wanted : ((await store?.rename(id, wanted).catch(() => wanted)) ?? wanted);
    this.#autosave.rename(given);
    this.#autosave.change();
    this.#show(given);
  }

  async #remove(): Promise<void> {
    const { store, texts } = this.#options;
    const { name } = this.#autosave.workbook;
    if (!(await this.#dialogs.confirm(texts.removeTitle(name), texts.remove))) return;
    await this.#autosave.flush(); // so that no save follows the removal
    await store?.remove(this.#autosave.workbook.id).catch(() => {});
    await this.#createFirst();
  }

  #show(name: string): void {
    this.#menu.showName(name);
    history.replaceState({ ...history.state, workbook: this.#autosave.workbook.id }, "");
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

function isOffered(command: WorkbookCommand, { store, sample }: WorkbooksOptions): boolean {
  if (command === "createSample") return sample !== undefined;
  return store !== undefined || !["open", "duplicate", "remove"].includes(command);
}

function readOwnId(): string | undefined {
  const state: unknown = history.state;
  return typeof state === "object" && state !== null && "workbook" in state ? String(state.workbook) : undefined;
}
