import { createSubscribers } from "../client/subscribers";
import type { NamedSheet, Workbook } from "../contract/workbook";
import type { QueryCache } from "../feed/query-cache";
import type { Call, Placement } from "../session/calls";
import type { Session } from "../session/session";
import type { MadeSheet } from "../session/settings";
import { createSheetTimer, type ScheduledSheet, type SheetTimer } from "../session/sheet-schedule";
import { findCells } from "./cells";
import { findPlaygroundWorkbook } from "./host";
import { listFeedCells } from "./workbook/feed-cells";
import { listSheets, readSheets, watchEdits } from "./workbook/reading";

/** What the pane knows of a sheet that it made. */
export interface SheetState {
  /** When its oldest answer was given, milliseconds since the Unix epoch; null without an answer. */
  asOfMs: number | null;
  /** When its own schedule refreshes it next; null for never. */
  nextAtMs: number | null;
  /** Whether the workbook has no such sheet. */
  isMissing: boolean;
}

/** The sheets that the pane made, followed while the page is open. */
interface SheetWatch {
  /** Gives the states of the settings' sheets, in their order; the same list while nothing changes. */
  states(): readonly SheetState[];
  subscribe(listener: () => void): () => void;
}

interface WatchOptions {
  session: Session;
  workbook: SheetReader & Pick<Workbook, "onEdit">;
}

/** Formulas and edits come by thousands, and one reading serves them. */
const READ_AFTER_MS = 1_000;
/** Reading takes a twentieth of the time at most. */
const REST_PER_READING = 20;
/** Excel refuses while a cell is being edited. */
const RETRY_AFTER_MS = 5_000;
const MOST_TRIES = 12;
/** Answers come by thousands. */
const FOLLOW_AFTER_MS = 250;

interface WatchState extends WatchOptions {
  placed: PlacedCalls | null;
  /** Keys of the sheets that the last reading did not find. */
  missing: ReadonlySet<string>;
  reading: Promise<PlacedCalls> | null;
  /** Whether cells were edited after the reading began. */
  isEdited: boolean;
  /** The least time until the next reading. */
  restMs: number;
  isReadingDue: boolean;
  isFollowingDue: boolean;
  timer: SheetTimer;
  states: readonly SheetState[];
  notify: () => void;
}

const watches = new WeakMap<Session, SheetWatch>();

/** Follows the made sheets of a session's workbook, and refreshes them by their own schedules; once for each session. */
export function watchSheets(options: WatchOptions): SheetWatch {
  const known = watches.get(options.session);
  if (known !== undefined) return known;
  const { session, workbook } = options;
  const { subscribe, notify } = createSubscribers();
  const state = { placed: null, missing: new Set(), reading: null, isEdited: false, restMs: READ_AFTER_MS, states: [] };
  const context: WatchState = { ...options, ...state, isReadingDue: false, isFollowingDue: false, notify } as never;
  context.timer = createSheetTimer({
    ports: session.ports,
    sheets: () => listScheduled(context),
    timeZone: () => session.settings.timeZone,
    isFree: () => isFree(session),
    refresh: (due, dueAtMs) => refreshDue(context, due, dueAtMs),
  });
  const watch: SheetWatch = { states: () => context.states, subscribe };
  watches.set(session, watch);
  workbook.onEdit(() => {
    context.isEdited = true;
    readSoon(context);
  });
  session.calls.onChange(() => readSoon(context));
  session.feed.activity.onChange(() => followSoon(context));
  session.subscribe(() => followSoon(context));
  readSoon(context);
  // It notifies, and a part of the pane may call this while it is rendered.
  queueMicrotask(() => session.place(createPlacement(context)));
  return watch;
}

/** A refresh connects again after a failure. */
const isFree = ({ state, offlineSinceMs, refreshing }: Session): boolean =>
  ["connected", "failed"].includes(state().status) && offlineSinceMs() === null && refreshing.state().running === null;

const createPlacement = (context: WatchState): Placement => ({
  oldestBesideMs: (given) => findOldestBesideMs(context, given),
  async leaveCalls(calls) {
    const isOwn = await readOwn(context);
    return calls.filter((call) => !isOwn(call));
  },
  async leaveQueries(queries) {
    const isOwn = await readOwn(context);
    const own = new Set<string>();
    for (const call of context.session.calls.list()) if (isOwn(call)) for (const key of toKeys(call)) own.add(key);
    for (const call of context.session.calls.list()) if (!isOwn(call)) for (const key of toKeys(call)) own.delete(key);
    return queries.filter(({ key }) => !own.has(JSON.stringify(key)));
  },
});

const toKeys = ({ queries }: Call) => queries.map(({ key }) => JSON.stringify(key));

/** Finds out which formulas stand only on sheets with a schedule of their own; none where no cell can be read. */
async function readOwn(context: WatchState): Promise<(call: Call) => boolean> {
  const placed = await readCurrent(context).catch(() => context.placed);
  if (placed === null) return () => false;
  const scheduled = context.session.settings.sheets.filter(({ schedule }) => schedule !== undefined);
  const own = new Set(scheduled.map((made) => findSheet(context, placed, made)?.name));
  return (call) => {
    const names = placed.byCall.get(call);
    return names !== undefined && [...names].every((name) => own.has(name));
  };
}

/** A formula that came after the reading counts for each sheet, so that a time is too old for a moment, never too new. */
function findOldestBesideMs({ session, placed }: WatchState, given: Call["given"]): number | null | undefined {
  const own = placed?.list.find((call) => call.given === given);
  const names = own && placed?.byCall.get(own);
  if (placed == null || names === undefined || [...names].some((name) => placed.undetermined.has(name)))
    return undefined;
  const list = session.calls.list();
  const before = new Set(placed.list);
  const calls = [...names].flatMap((name) => [...(placed.bySheet.get(name) ?? [])]);
  const added = list === placed.list ? [] : list.filter((call) => !before.has(call));
  return findOldestMs([...calls, ...added], session.feed.queryCache.find);
}

/** The key of a sheet: the host's id, or its name while no id is known. */
const toSheetKey = ({ id, name }: MadeSheet): string => id ?? name;

/** Finds a made sheet by its id, else by its name if that sheet is no other entry's: it may bear a deleted one's name. */
function findSheet({ session }: WatchState, { sheets }: PlacedCalls, { id, name }: MadeSheet): NamedSheet | undefined {
  const own = sheets.find((sheet) => sheet.id === id);
  if (own !== undefined) return own;
  const named = sheets.find((sheet) => sheet.name === name);
  return session.settings.sheets.some((other) => other.id !== undefined && other.id === named?.id) ? undefined : named;
}

/** Lists the formulas of a sheet; where it has cells of unknown formulas, each formula without a place may be theirs. */
function listCalls(context: WatchState, placed: PlacedCalls, made: MadeSheet): Call[] {
  const name = findSheet(context, placed, made)?.name ?? "";
  const known = [...(placed.bySheet.get(name) ?? [])];
  return placed.undetermined.has(name) ? [...known, ...placed.list.filter((call) => !placed.byCall.has(call))] : known;
}

function listScheduled(context: WatchState): ScheduledSheet[] {
  const { session, placed } = context;
  if (placed === null) return [];
  return session.settings.sheets.flatMap((made) => {
    const { schedule } = made;
    if (schedule === undefined) return [];
    return {
      key: toSheetKey(made),
      schedule,
      asOfMs: findOldestMs(listCalls(context, placed, made), session.feed.queryCache.find),
    };
  });
}

/** Accepts answers that the companion has had since the sheets fell due. */
async function refreshDue(context: WatchState, due: readonly ScheduledSheet[], dueAtMs: number): Promise<void> {
  const { session } = context;
  const placed = await readCurrent(context);
  const keys = new Set(due.map(({ key }) => key));
  const sheets = session.settings.sheets.filter((made) => keys.has(toSheetKey(made)));
  const calls = new Set(sheets.flatMap((made) => listCalls(context, placed, made)));
  const maxAgeMs = Math.max(0, session.ports.nowMs() - dueAtMs);
  await session.refreshDue([...calls], () => maxAgeMs);
}

const isCurrent = ({ placed, isEdited, session }: WatchState): boolean =>
  placed !== null && !isEdited && placed.list === session.calls.list();

/** Gives the placement of all present formulas, when the workbook can be read. @throws WorkbookError after a minute */
async function readCurrent(context: WatchState): Promise<PlacedCalls> {
  // Formulas may have come since a reading that was under way began; later edits are for the next one.
  for (let [readings, failures] = [0, 0]; !isCurrent(context) && readings < 2; ) {
    try {
      await read(context);
      readings += 1;
    } catch (error) {
      failures += 1;
      if (failures > MOST_TRIES) throw error;
      await new Promise<void>((resolve) => context.session.ports.after(RETRY_AFTER_MS, resolve));
    }
  }
  return context.placed as PlacedCalls;
}

function read(context: WatchState): Promise<PlacedCalls> {
  context.reading ??= readNow(context).finally(() => {
    context.reading = null;
  });
  return context.reading;
}

async function readNow(context: WatchState): Promise<PlacedCalls> {
  const { session, workbook } = context;
  const { nowMs } = session.ports;
  const beganMs = nowMs();
  context.isEdited = false;
  const made = session.settings.sheets; // one that is made meanwhile is not missing
  try {
    const placed = await placeCalls(workbook, session.calls.list());
    context.placed = placed;
    context.missing = new Set(made.filter((each) => findSheet(context, placed, each) === undefined).map(toSheetKey));
    context.restMs = Math.max(READ_AFTER_MS, REST_PER_READING * (nowMs() - beganMs));
    adoptNames(context, placed);
    for (const call of placed.list) if (call.name === "STATUS") call.reread(true);
    follow(context);
    return placed;
  } catch (error) {
    context.isEdited = true; // it is still to be read
    context.restMs = RETRY_AFTER_MS;
    readSoon(context);
    throw error;
  }
}

/** Reads where something has changed. Many changes come together, and each costs no more than this check. */
function readSoon(context: WatchState): void {
  if (context.isReadingDue) return;
  context.isReadingDue = true;
  context.session.ports.after(context.restMs, () => {
    context.isReadingDue = false;
    if (isNeeded(context) && !isCurrent(context)) void read(context).catch(() => {});
  });
}

const isNeeded = ({ session }: WatchState) => session.settings.sheets.length > 0 || session.placement.isWanted;

/** Follows renamed sheets. Only a person's change of settings is stored: another window may have other settings. */
function adoptNames(context: WatchState, placed: PlacedCalls): void {
  const { session } = context;
  const before = session.settings.sheets;
  const sheets = before.map((made) => ({ ...made, ...findSheet(context, placed, made) }));
  if (sheets.every(({ id, name }, index) => id === before[index]?.id && name === before[index]?.name)) return;
  session.change({ sheets });
}

function followSoon(context: WatchState): void {
  if (context.isFollowingDue) return;
  context.isFollowingDue = true;
  context.session.ports.after(FOLLOW_AFTER_MS, () => {
    context.isFollowingDue = false;
    follow(context);
    readSoon(context);
  });
}

function follow(context: WatchState): void {
  const { session, placed, timer, notify } = context;
  timer.follow();
  const scheduled = new Map(listScheduled(context).map((sheet) => [sheet.key, sheet]));
  const states = session.settings.sheets.map((made): SheetState => {
    const own = scheduled.get(toSheetKey(made));
    return {
      asOfMs: own?.asOfMs ?? (placed && findOldestMs(listCalls(context, placed, made), session.feed.queryCache.find)),
      nextAtMs: own === undefined ? null : timer.nextAtMs(own),
      isMissing: context.missing.has(toSheetKey(made)),
    };
  });
  if (JSON.stringify(states) === JSON.stringify(context.states)) return;
  context.states = states;
  notify();
}

/** What of a workbook is read to find where formulas stand. */
type SheetReader = Pick<Workbook, "listSheets" | "listFeedCells" | "readSheets">;

/** The sheets on which each live formula stands, as the workbook was read. */
interface PlacedCalls {
  sheets: readonly NamedSheet[];
  /** The list of live formulas that were looked for. */
  list: readonly Call[];
  /** The formulas of each sheet, by its name; several sheets share equal formulas. */
  bySheet: ReadonlyMap<string, ReadonlySet<Call>>;
  /** The names of each formula's sheets. */
  byCall: ReadonlyMap<Call, ReadonlySet<string>>;
  /** Sheets with a cell whose live formula is not known. */
  undetermined: ReadonlySet<string>;
}

/** Reads the whole workbook, since equal formulas share one stream and rows move. @throws WorkbookError */
export async function placeCalls(workbook: SheetReader, list: readonly Call[]): Promise<PlacedCalls> {
  const sheets = await workbook.listSheets();
  const { pairs, findUndetermined } = await findCells(workbook, list, "workbook");
  const bySheet = new Map<string, Set<Call>>();
  const byCall = new Map<Call, Set<string>>();
  for (const { cell, call } of pairs) {
    put(bySheet, cell.sheet, call);
    put(byCall, call, cell.sheet);
  }
  const undetermined = new Set((await findUndetermined()).map(({ sheet }) => sheet));
  return { sheets, list, bySheet, byCall, undetermined };
}

function put<Key, Value>(sets: Map<Key, Set<Value>>, key: Key, value: Value): void {
  const known = sets.get(key);
  if (known === undefined) sets.set(key, new Set([value]));
  else known.add(value);
}

/** When the oldest answer of formulas was given, milliseconds since the Unix epoch; null without an answer. */
export function findOldestMs(calls: Iterable<Call>, find: QueryCache["find"]): number | null {
  let oldestMs = Number.POSITIVE_INFINITY;
  for (const { queries } of calls) {
    for (const query of queries) {
      const state = find(query)?.state;
      if (state?.status === "answered") oldestMs = Math.min(oldestMs, state.answer.asOfMs);
    }
  }
  return Number.isFinite(oldestMs) ? oldestMs : null;
}

/** Follows the made sheets while the pane is closed: it needs the readers of the workbook, and no more of the adapter. */
export function watchUnseen(session: Session): void {
  const reader = { listSheets, readSheets, listFeedCells, onEdit: watchEdits };
  watchSheets({ session, workbook: findPlaygroundWorkbook() ?? reader });
}
