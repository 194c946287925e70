import { NoValueError } from "../client/errors";
import type { Query } from "../feed/query-cache";
import { loadScript } from "../feed/script";
import type { Call, Calls, Origin } from "../session/calls";
import type { Task } from "../session/scheduler";
import type { Session } from "../session/session";
import { CellWriter, type Invocation, isPreview } from "./cell-writer";
import { type Abilities, Figure, readAbilities, type Table, toCellError, toCells } from "./cells";
import { type Settled, type View, ViewObserver, type ViewWriter } from "./view-observer";

/** Opens a formula's view, at once or when its script has come. */
type Open<Given> = (given: Given) => View | Promise<View>;

/**
 * Opens views by a script of its own, which no workbook of single figures needs.
 *
 * @param load imports the script; what it throws becomes a RequestError (FEED_NETWORK_FAILED)
 */
export function lazily<Given>(load: () => Promise<(given: Given) => View>): Open<Given> {
  let open: ((given: Given) => View) | null = null;
  return (given) => {
    if (open !== null) return open(given);
    return loadScript(load, "shows tables").then((found) => {
      open = found;
      return found(given);
    });
  };
}

/**
 * Streams a formula into its cell for as long as the cell holds it: every answer, growth and refresh of its
 * queries shows; equal values are not sent again. Nothing a formula throws gets past this place: an error
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
  open: Open<Given>,
): void {
  const streaming = new Streaming(session, invocation, name, given, open as Open<Call["given"]>);
  invocation.onCanceled = () => streaming.end();
  // What is only being typed is waited for, and what the pane asks by it is read at once.
  if (isPreview(invocation)) streaming.run();
  else session.scheduler.take(streaming);
}

/** A formula in its cell. A workbook has many thousands: what is the same for all of them is held by none. */
class Streaming implements Call, Task, ViewWriter {
  queries: readonly Query<unknown>[] = [];
  /** Why it shows nothing but an error. */
  error: unknown = null;
  readonly #screen: CellWriter;
  #view: View | null = null;
  /** What the view shows. */
  #settled: readonly Settled[] = [];
  #watching: ViewObserver | null = null;
  #hasEntered = false;
  #hasEnded = false;
  /** What it is one of. */
  #calls: Calls | null = null;
  /** Ends what it hears of settings, where it is in no cell. */
  #stopHearing: (() => void) | null = null;
  /** Ends its wait for the refresh that reads it again; null where none does. */
  #forget: (() => void) | null = null;

  constructor(
    private readonly session: Session,
    private readonly invocation: Invocation,
    readonly name: string,
    readonly given: Call["given"],
    private readonly open: Open<Call["given"]>,
  ) {
    this.#screen = new CellWriter(session, invocation);
  }

  get address(): string | null {
    return this.invocation.address ?? null;
  }

  get shown(): Call["shown"] {
    return this.#screen.shown;
  }

  /** Enters the formula the first time it is its turn, then reads it again. */
  run(): void {
    if (this.#hasEntered) this.#read();
    else if (!this.#hasEnded) this.#enter();
  }

  #enter(): void {
    this.#hasEntered = true;
    const { session } = this;
    this.#calls = findCalls(session, this.invocation);
    this.#calls?.add(this);
    if (this.#calls !== session.calls) this.#stopHearing = session.onSettings(() => this.#read());
    this.#read();
    this.#screen.beginWait();
  }

  end(): void {
    this.#hasEnded = true;
    this.#screen.end();
    this.#watching?.stop();
    this.#forget?.();
    this.#stopHearing?.();
    this.#calls?.remove(this);
  }

  reread(isForSettings = false): void {
    if (isForSettings) this.session.scheduler.take(this);
    else if (this.#forget !== null) this.#read();
  }

  /** Lays out anew what it shows: few are asked where it comes from, so that nothing of it is held for that. */
  findOrigin(row: number, column: number): Origin {
    return findOrigin(() => this.#view?.show(this.#settled) ?? null, row, column);
  }

  /** Reads the arguments, then observes their queries. */
  #read(): void {
    if (this.#hasEnded) return; // while it waited
    try {
      const view = this.open(this.given);
      if (view instanceof Promise)
        view.then((opened) => this.#observe(opened)).catch((error) => this.#refuse(error, true));
      else this.#observe(view);
    } catch (error) {
      this.#refuse(error, false);
    }
  }

  #observe(view: View): void {
    if (this.#hasEnded) return; // while its script came
    const { session, invocation } = this;
    const before = this.#watching;
    this.#watching = null;
    this.queries = view.queries;
    this.error = null;
    this.#waitForReread(view.rereadsOnRefresh);
    this.#calls?.notify();
    if (isPreview(invocation)) this.#preview(view);
    else {
      this.#watching = new ViewObserver(session, view, this);
      this.#watching.start();
    }
    before?.stop(); // after the new queries are observed: one that both share goes on
  }

  /** Shows why there is no view; a script that did not come is loaded anew by a refresh. */
  #refuse(error: unknown, isLate: boolean): void {
    if (this.#hasEnded) return;
    this.#watching?.stop();
    this.#watching = null;
    this.queries = [];
    if (isLate) this.#waitForReread(true);
    this.#note(error);
    this.#screen.write(toCellError(error));
  }

  show(view: View, settled: readonly Settled[]): void {
    const { session } = this;
    this.#view = view;
    this.#settled = settled;
    try {
      const table = view.show(settled);
      if (table === null) return;
      this.#screen.write(toCells(table, toAbilities(session)));
      this.#note(pickOnlyError(table));
    } catch (error) {
      this.#note(error);
      this.#screen.write(toCellError(error));
      if (!isTooLarge(error) || settled.every(isWhole)) return;
      // What is too large after one page stays too large: the pages to come are called off until a refresh.
      this.#watching?.stop();
      this.#watching = null;
      this.#waitForReread(true);
    }
  }

  /** While a formula is being typed nothing is sent: it is shown from what is known, or not at all. */
  #preview(view: View): void {
    const states = view.queries.map((query) => this.session.feed.queryCache.peek(query));
    const settled = states.filter((state): state is Settled => state.status !== "pending");
    if (settled.length === states.length) this.show(view, settled);
    else this.#screen.write(toCellError(new NoValueError("FEED_NO_VALUE", "not read yet; press Enter to read it")));
  }

  #waitForReread(isWanted: boolean): void {
    this.#forget?.();
    this.#forget = isWanted ? this.session.onReread(() => this.#read()) : null;
  }

  #note(error: unknown): void {
    this.error = error;
    this.#calls?.notify();
  }
}

/** Where a formula is entered: what the pane runs brings its own, and what is only being typed is in no cell yet. */
function findCalls({ calls }: Session, invocation: Invocation): Calls | null {
  const { calls: own } = invocation as { calls?: Calls };
  return own ?? (isPreview(invocation) ? null : calls);
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

/** Tells where a cell of a table comes from; what keeps the table from being laid out keeps it from telling. */
function findOrigin(look: () => Table | null, row: number, column: number): Origin {
  try {
    const table = look();
    const cells = table?.rows[row] ?? [];
    const own = cells[column];
    const error = own instanceof Error ? own : null;
    const places = own instanceof Figure ? own.places : [];
    const rowPlaces = own instanceof Figure ? [] : cells.flatMap((cell) => (cell instanceof Figure ? cell.places : []));
    return { error, places, rowPlaces, ...table?.readOrigin?.(row, column) };
  } catch (error) {
    return { error, places: [] };
  }
}
