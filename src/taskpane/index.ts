// The script that every workbook with a formula loads, though its pane may never be opened: it contains no React.
import { session } from "../session/current";
import { adoptJapanese } from "../session/japanese";
import type { Session } from "../session/session";
import { listCatalogueFiles } from "./build/catalogue-files";
import { answerRibbon, showPane } from "./commands/office";
import { onOthers } from "./file-store";
import {
  findPlaygroundWorkbook,
  type Host,
  isJapanese,
  persistLater,
  persistSettings,
  readDateSystem,
  readHost,
  readPersistedSettings,
} from "./host";
import { adoptOthers, persistResolutions, readPersistedResolutions } from "./named-companies";
import { cachePage, registerWorker } from "./offline";
import type { PaneContext } from "./pane";
import { watchShown } from "./visibility";

/** Caching loads the page's files again, which must not delay its first cells; an opening pane does it at its end. */
const CACHE_AFTER_MS = 5_000;

/** Connects, and opens the pane once it is wanted; outside Excel the page keeps its static text. */
async function start(container: HTMLElement): Promise<void> {
  const host = await readHost();
  if (host === null) {
    container.className = "";
    return;
  }
  document.documentElement.lang = host.language;
  if (isJapanese(host.language)) void adoptJapanese(session);
  session.adopt(readPersistedSettings());
  session.feed.resolutions.adopt(readPersistedResolutions());
  onOthers((before) => {
    session.adopt(readPersistedSettings());
    adoptOthers(session.feed, before);
  });
  persistResolutions(session.feed.resolutions);
  session.subscribe(persistProvider(session, persistSettings, persistLater));
  watchSheetsWhenNeeded();
  container.className = "closed";
  const connected = session.connect();
  const isOpening = openWhenWanted(container, host, connected);
  const cacheUnlessOpening = () => void (isOpening() || cache());
  await Promise.all([connected.then(() => session.ports.after(CACHE_AFTER_MS, cacheUnlessOpening)), adoptDateSystem()]);
}

/**
 * Opens the pane when it is shown, when a command of the ribbon needs it, and when only the pane can pair the page.
 *
 * @returns whether it has begun to open
 */
function openWhenWanted(container: HTMLElement, host: Host, connected: Promise<void>): () => boolean {
  let opening: Promise<boolean> | null = null;
  const opened = new AbortController();
  const load = async () => {
    container.className = "starting";
    try {
      const { renderPane, loadParts } = await import(/* webpackChunkName: "pane" */ "./render");
      renderPane(container, { session, host, persist: persistSettings, serve: ribbon });
      opened.abort();
      void connected.then(loadParts).then(() => cache(listCatalogueFiles(isJapanese(host.language) ? "ja" : "en")));
      return true;
    } catch {
      container.className = ""; // the static text says what to do
      opening = null;
      return false;
    }
  };
  const open = () => {
    opening ??= load();
    return opening;
  };
  const ribbon = answerRibbon(async () => {
    if (!(await open())) await showPane();
  });
  session.subscribe(() => {
    if (session.state().status === "failed" && session.pairing() === "wanted") void open();
  });
  watchShown(container, open, opened.signal);
  return () => opening !== null;
}

/** Follows the made sheets once there is one, or a formula wants to know where it stands; the pane may stay closed. */
function watchSheetsWhenNeeded(): void {
  let isLoading = false;
  const look = async () => {
    const { settings, placement } = session;
    if (isLoading || placement.current !== null || (settings.sheets.length === 0 && !placement.isWanted)) return;
    isLoading = true;
    try {
      (await import(/* webpackChunkName: "unseen" */ "./sheet-watch")).watchUnseen(session);
    } catch {
      isLoading = false; // the next answer of a cell has it load again
    }
  };
  session.feed.activity.onChange(look);
}

let registered: Promise<void> | undefined;

/** Caches the page's files, those to come too, so that it opens without a network. @param wanted as of {@link cachePage} */
function cache(wanted?: readonly string[]): void {
  registered ??= registerWorker();
  void registered.then(() => cachePage(wanted));
}

/** Running formulas are read again where the workbook counts from 1904. */
async function adoptDateSystem(): Promise<void> {
  const read = findPlaygroundWorkbook()?.readDateSystem ?? readDateSystem;
  session.change({ dateSystem: await read() });
}

/** Stores the provider of the workbook's figures: the first one with the next decision, another one is a decision itself. */
export function persistProvider(
  session: Pick<Session, "settings">,
  persist: PaneContext["persist"],
  later: typeof persistLater,
): () => void {
  let persisted = session.settings.provider;
  return () => {
    const { provider } = session.settings;
    if (provider === null || provider === persisted) return;
    if (persisted === null) later({ provider });
    else persist({ provider }).catch(() => {}); // without storage, the next opening only lacks this check
    persisted = provider;
  };
}

const container = document.getElementById("pane");
if (container !== null) void start(container);
