import { NoValueError, RequestError } from "../feed/errors";
import type { Answer, Question, State } from "../feed/watch";
import type { Call, Calls } from "../session/calls";
import type { Session } from "../session/session";
import { type Abilities, readAbilities } from "./abilities";
import { type Cell, type Table, toCellError, toCells } from "./cells";
import { findOrigin } from "./origin";
import { createPace } from "./pace";

/** An answer, or the reason why there is none. */
export type Settled = Exclude<State<unknown>, { status: "pending" }>;

/** The answer of a question. @throws what the question failed with */
export function readAnswer<T>(settled: Settled | undefined): Answer<T> {
  if (settled?.status !== "answered") throw settled?.error;
  return settled.answer as Answer<T>;
}

/** What a formula asks and how it shows the answers. */
export interface View {
  questions: readonly Question<unknown>[];
  /**
   * Turns the answers, in the order of the questions, into a table; null while showing a part would be wrong.
   * What it throws is shown.
   */
  show(settled: readonly Settled[]): Table | null;
  /** Whether a refresh opens it anew: it depends on today, or there is something to try again. */
  rereadsOnRefresh: boolean;
  /** Begins once a cell holds it: has `tell` called when what it shows besides answers has changed; gives the end of it. */
  listen?(tell: () => void): () => void;
}

/** How long a cell may be #BUSY!, however many requests its answer takes. */
const CELL_DEADLINE_MS = 30_000;

const LATE = new RequestError(
  "FEED_TIMED_OUT",
  "no answer within 30 seconds; it shows when it comes, or refresh later",
);

type Invocation = CustomFunctions.StreamingInvocation<unknown[][]>;

/**
 * Streams a formula into its cell for as long as the cell holds it: every answer, growth and refresh of its
 * questions shows; equal values are not sent again. Nothing a formula throws gets past this place: an error
 * that escaped a streaming function would leave its cell #BUSY! for ever.
 *
 * @param name the formula's name without the namespace
 * @param given its arguments by their names
 * @param open reads the arguments; what it throws is shown
 */
export function stream<Given extends Readonly<Record<string, unknown>>>(
  session: Session,
  invocation: Invocation,
  name: string,
  given: Given,
  open: (given: Given) => View,
): void {
  const screen = createScreen(session, invocation);
  const calls = findCalls(session, invocation);
  const streaming: Streaming = {
    session,
    invocation,
    open: () => open(given),
    screen,
    questions: [],
    error: null,
    tell: () => calls?.tell(),
    leave: () => {},
    forget: null,
    look: () => null,
  };
  const takeOut = calls?.add(toCall(streaming, name, given));
  // Settings may change what is asked as well as how it is shown; what is known already is shown without a request.
  const stopHearing = session.onSettings(() => read(streaming));
  invocation.onCanceled = () => {
    screen.endWait();
    streaming.leave();
    streaming.forget?.();
    stopHearing();
    takeOut?.();
  };
  read(streaming);
}

/** Where a formula is entered: what the pane runs brings its own, and what is only being typed is in no cell yet. */
function findCalls({ calls }: Session, invocation: Invocation): Calls | null {
  const { calls: own } = invocation as { calls?: Calls };
  return own ?? (isPreview(invocation) ? null : calls);
}

const toCall = (streaming: Streaming, name: string, given: Call["given"]): Call => ({
  name,
  given,
  address: streaming.invocation.address ?? null,
  get questions() {
    return streaming.questions;
  },
  get error() {
    return streaming.error;
  },
  get shown() {
    return streaming.screen.shown();
  },
  findOrigin: (row, column) => findOrigin(streaming.look, row, column),
  reread() {
    if (streaming.forget !== null) read(streaming);
  },
});

/** A formula in its cell. */
interface Streaming {
  session: Session;
  invocation: Invocation;
  open: () => View;
  screen: ReturnType<typeof createScreen>;
  questions: readonly Question<unknown>[];
  /** Why it shows nothing but an error. */
  error: unknown;
  /** Says that its questions or its error are new. */
  tell: () => void;
  /** Ends the watching of its questions. */
  leave: () => void;
  /** Ends its wait for the refresh that reads it again; null where none does. */
  forget: (() => void) | null;
  /** Lays out anew what it shows: few are asked where it comes from, so that nothing of it is held for that. */
  look: () => Table | null;
}

/** Reads the arguments, then watches what they ask. */
function read(streaming: Streaming): void {
  const { session, invocation, screen } = streaming;
  const leaveBefore = streaming.leave;
  streaming.leave = () => {};
  streaming.questions = [];
  try {
    const view = streaming.open();
    streaming.questions = view.questions;
    waitForReread(streaming, view.rereadsOnRefresh);
    note(streaming, null);
    const showView = (settled: readonly Settled[]) => show(streaming, view, settled);
    if (isPreview(invocation)) preview(session, view, showView, screen.put);
    else {
      const watching = subscribe(session, view, showView);
      streaming.leave = watching.stop;
      watching.start();
    }
  } catch (error) {
    note(streaming, error);
    screen.put(toCellError(error));
  }
  leaveBefore(); // after the new questions are watched: one that both share goes on
}

function waitForReread(streaming: Streaming, isWanted: boolean): void {
  streaming.forget?.();
  streaming.forget = isWanted ? streaming.session.onReread(() => read(streaming)) : null;
}

function note(streaming: Streaming, error: unknown): void {
  streaming.error = error;
  streaming.tell();
}

function show(streaming: Streaming, view: View, settled: readonly Settled[]): void {
  const { session, screen } = streaming;
  streaming.look = () => view.show(settled);
  try {
    const table = streaming.look();
    if (table === null) return;
    screen.put(toCells(table, toAbilities(session)));
    note(streaming, pickOnlyError(table));
  } catch (error) {
    note(streaming, error);
    screen.put(toCellError(error));
    if (!isTooLarge(error) || settled.every(isWhole)) return;
    // What is too large after one page stays too large: the pages to come are called off until a refresh.
    streaming.leave();
    waitForReread(streaming, true);
  }
}

/** The error of a formula that shows a single value; in a larger table, one value without an answer is no failure. */
function pickOnlyError({ rows }: Table): unknown {
  const [only] = rows[0] ?? [];
  return rows.length === 1 && rows[0]?.length === 1 && only instanceof Error ? only : null;
}

const isTooLarge = (error: unknown): boolean => error instanceof NoValueError && error.code === "FEED_RESULT_TOO_LARGE";

const isWhole = (settled: Settled): boolean => settled.status === "failed" || settled.answer.isComplete;

/** Properties of numbers are shown where the host can and the workbook wants them. */
function toAbilities({ settings }: Session): Abilities {
  const { formats, properties } = readAbilities();
  return { formats, properties: properties && settings.numberProperties };
}

/** What a cell shows: values that differ from the last, and after too long a wait why there is none. */
function createScreen(session: Session, invocation: Invocation) {
  let shown: Cell[][] | CustomFunctions.Error | null = null;
  const put = (value: Cell[][] | CustomFunctions.Error) => {
    endWait();
    if (shown !== null && isEqual(shown, value)) return;
    shown = value;
    invocation.setResult(value as unknown[][]);
  };
  // Asking goes on behind the error: what comes later still shows.
  const endWait = session.ports.after(CELL_DEADLINE_MS, () => put(toCellError(LATE)));
  return { put, endWait, shown: () => shown };
}

/** Watches all questions of a view; once started, tells when each has settled, and at each change from then on. */
function subscribe(session: Session, view: View, tell: (settled: readonly Settled[]) => void) {
  const states: (Settled | undefined)[] = view.questions.map(() => undefined);
  let open = states.length;
  let isRunning = false;
  let isDue = false;
  const pace = createPace(session.ports, () => tell(states as Settled[]));
  const showTogether = () => {
    if (isDue) return;
    isDue = true;
    queueMicrotask(() => {
      isDue = false;
      if (isRunning) pace.request();
    });
  };
  const hear = (index: number, state: State<unknown>) => {
    if (state.status === "pending") return;
    if (states[index] === undefined) open--;
    states[index] = state;
    if (!isRunning || open > 0) return;
    if (states.length === 1) pace.request();
    else showTogether(); // a refreshed grid hears of many of its questions in one go
  };
  const stops = view.questions.map((question, index) =>
    session.feed.watch.watch(question, (state) => hear(index, state)),
  );
  if (view.listen !== undefined) stops.push(view.listen(showTogether));
  return {
    start() {
      isRunning = true;
      if (open === 0) pace.request();
    },
    stop() {
      isRunning = false;
      pace.stop();
      for (const stop of stops) stop();
    },
  };
}

/** While a formula is being typed nothing is sent: it is shown from what is known, or not at all. */
function preview(
  session: Session,
  view: View,
  show: (settled: readonly Settled[]) => void,
  put: (error: CustomFunctions.Error) => void,
): void {
  const states = view.questions.map((question) => session.feed.watch.peek(question));
  const settled = states.filter((state): state is Settled => state.status !== "pending");
  if (settled.length === states.length) show(settled);
  else put(toCellError(new NoValueError("FEED_NO_VALUE", "not read yet; press Enter to read it")));
}

/** The typings lack the member, and older hosts have none. */
function isPreview(invocation: Invocation): boolean {
  return Boolean((invocation as { isInValuePreview?: unknown }).isInValuePreview);
}

function isEqual(one: Cell[][] | CustomFunctions.Error, other: Cell[][] | CustomFunctions.Error): boolean {
  if (!Array.isArray(one) || !Array.isArray(other)) return isSameCell(one as Cell, other as Cell);
  if (one.length !== other.length || one[0]?.length !== other[0]?.length) return false;
  return one.every((row, r) => row.every((cell, c) => isSameCell(cell, other[r]?.[c])));
}

/** Data types are the same where every property is: a figure fetched later is shown anew, for its card tells when. */
function isSameCell(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (typeof one !== "object" || typeof other !== "object") return false;
  if (!(one instanceof CustomFunctions.Error) || !(other instanceof CustomFunctions.Error)) {
    return JSON.stringify(one) === JSON.stringify(other);
  }
  return one.code === other.code && one.message === other.message;
}
