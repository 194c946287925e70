import { NoValueError } from "../client/errors";
import { msg } from "../client/messages";
import type { Progress, Query } from "../feed/query-cache";
import { loadScript } from "../feed/script";
import type { Call, Calls, Origin, OriginReader } from "../session/calls";
import type { Task } from "../session/scheduler";
import type { Session } from "../session/session";
import { type Argument, splitSingle, toRange } from "./arguments";
import { CellWriter, type Invocation, isPreview } from "./cell-writer";
import { type Abilities, Figure, readAbilities, type Table, toCellError, toCells } from "./cells";
import { type Settled, type View, ViewObserver, type ViewWriter } from "./view-observer";

/** Opens a formula's view, at once or when its script has come. */
type Open<Given> = (given: Given) => View | Promise<View>;

/**
 * Returns an opener of views in a lazy script, which a workbook of single figures does not need.
 *
 * @param load imports the script; its error becomes a RequestError (FEED_NETWORK_FAILED)
 */
export function lazily<Given>(load: () => Promise<Open<Given>>): Open<Given> {
  let open: Open<Given> | null = null;
  return (given) => {
    if (open !== null) return open(given);
    return loadScript(load).then((found) => {
      open = found;
      return found(given);
    });
  };
}

const loadListed = () => import(/* webpackChunkName: "views" */ "./views/companies");
const openListed = lazily(async () => (await loadListed()).openListed);

/**
 * Opens a formula that takes several companies; a single text with commas, which may be a list or a company's name, is left
 * to a script of its own.
 *
 * @param name the argument that has the companies
 */
export const opensListed =
  <Name extends string, Given extends Record<Name, Argument>>(name: Name, open: (given: Given) => View): Open<Given> =>
  (given) =>
    splitSingle(toRange(given[name])) === null ? open(given) : openListed({ name, given, open });

/**
 * Streams a formula into its cell for as long as the cell holds it: every answer and refresh of its queries shows;
 * equal values are not sent again. It catches every error of a formula: one that escaped a streaming function would
 * leave its cell #BUSY! for ever.
 *
 * @param name the formula's name without the namespace
 * @param given its arguments by their names
 * @param open reads the arguments; its error is shown
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
  // A value preview and the pane's own run need the result at once.
  if (isPreview(invocation)) streaming.run();
  else session.scheduler.take(streaming);
}

/** A formula in its cell. A workbook has many thousands, so that an instance holds no shared state. */
class Streaming implements Call, Task, ViewWriter {
  queries: readonly Query<unknown>[] = [];
  /** Its error; null while it shows a value. */
  error: unknown = null;
  readonly #writer: CellWriter;
  #view: View | null = null;
  /** The states that the view shows. */
  #settled: readonly Settled[] = [];
  #observer: ViewObserver | null = null;
  /** Calls off the delay of a formula that is entered anew again and again; null without one. */
  #callOff: (() => void) | null = null;
  #hasEntered = false;
  #hasEnded = false;
  /** The list of calls that has it. */
  #calls: Calls | null = null;
  /** Unsubscribes from settings, where it is in no cell. */
  #unsubscribe: (() => void) | null = null;
  /** Unsubscribes from refreshes that reread it; null for none. */
  #stopReread: (() => void) | null = null;

  constructor(
    private readonly session: Session,
    private readonly invocation: Invocation,
    readonly name: string,
    readonly given: Call["given"],
    private readonly open: Open<Call["given"]>,
  ) {
    this.#writer = new CellWriter(session, invocation);
  }

  get address(): string | null {
    return this.invocation.address ?? null;
  }

  get shown(): Call["shown"] {
    return this.#writer.shown;
  }

  get drift(): number {
    return this.session.drifts.count(this);
  }

  /** Enters the formula the first time the scheduler runs it, then rereads it. */
  run(): void {
    if (this.#hasEntered) this.#read();
    else if (!this.#hasEnded) this.#enter();
  }

  #enter(): void {
    this.#hasEntered = true;
    const { session } = this;
    this.#calls = findCalls(session, this.invocation);
    this.#calls?.add(this);
    if (this.#calls !== session.calls) this.#unsubscribe = session.onSettings(() => this.#read());
    const delayMs = this.#calls === session.calls ? session.drifts.toDelayMs(this) : 0;
    if (delayMs > 0) this.#callOff = session.ports.after(delayMs, () => this.#begin());
    else this.#begin();
  }

  #begin(): void {
    this.session.drifts.begin(this);
    this.#read();
    this.#writer.beginWait();
  }

  end(): void {
    this.#hasEnded = true;
    this.#callOff?.();
    if (this.#calls === this.session.calls) this.session.drifts.end(this);
    this.#writer.end();
    this.#observer?.stop();
    this.#stopReread?.();
    this.#unsubscribe?.();
    this.#calls?.remove(this);
  }

  reread(isForSettings = false): void {
    if (isForSettings) this.session.scheduler.take(this);
    else if (this.#stopReread !== null) this.#read();
  }

  /** Lays the table out again: origins are seldom needed, so that none is stored. */
  readOrigins(): OriginReader {
    return readOrigins(() => this.#view?.show(this.#settled) ?? null);
  }

  /** Reads the arguments, then observes their queries. */
  #read(): void {
    if (this.#hasEnded) return; // it ended while it waited
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
    if (this.#hasEnded) return; // it ended while its script loaded
    const { session, invocation } = this;
    const before = this.#observer;
    this.#observer = null;
    this.queries = view.queries;
    this.error = null;
    if (this.drift > 0) session.feed.budget.drift(view.queries);
    this.#waitForReread(view.rereadsOnRefresh === true);
    this.#calls?.notify();
    if (isPreview(invocation)) this.#preview(view);
    else {
      this.#observer = new ViewObserver(session, view, this);
      this.#observer.start();
    }
    before?.stop(); // after the new queries are observed, so that a shared one goes on
  }

  /** Shows the error of opening; a refresh loads a failed script again. */
  #refuse(error: unknown, isLate: boolean): void {
    if (this.#hasEnded) return;
    this.#observer?.stop();
    this.#observer = null;
    this.queries = [];
    if (isLate) this.#waitForReread(true);
    this.#fail(error);
  }

  show(view: View, settled: readonly Settled[]): void {
    const { session } = this;
    this.#view = view;
    this.#settled = settled;
    try {
      if (view.follow !== undefined) this.#observe(view.follow(settled));
      const table = view.show(settled);
      if (table === null) return;
      const output = toCells(table, toAbilities(session));
      this.#writer.write(output);
      const only = table.rows[0]?.[0];
      // In a table of several values a missing one is no failure.
      this.#setError(only instanceof Error && !Array.isArray(output) ? only : null);
    } catch (error) {
      this.#fail(error);
    }
  }

  /**
   * Begins the wait for the next rows. What is wrong with the first ones shows at once; of a table that will be too large
   * no further page is requested before a refresh.
   */
  advance(view: View, progress: Progress): void {
    this.#writer.beginWaitAnew();
    try {
      const table = view.foretell?.(progress);
      if (table) toCells(table, toAbilities(this.session));
    } catch (error) {
      this.#fail(error);
      if (!isTooLarge(error)) return;
      this.#observer?.stop();
      this.#observer = null;
      this.#waitForReread(true);
    }
  }

  /** A value preview sends nothing; it shows cached answers or none. */
  #preview(view: View): void {
    this.queries = [...view.queries, ...(view.follow?.().queries ?? [])];
    const states = view.queries.map((query) => this.session.feed.queryCache.peek(query));
    if (states.every((state): state is Settled => state.status !== "pending")) this.show(view, states);
    else this.#writer.write(toCellError(new NoValueError("FEED_NO_VALUE", msg`not read yet; press Enter to read it`)));
  }

  #waitForReread(isWanted: boolean): void {
    this.#stopReread?.();
    this.#stopReread = isWanted ? this.session.onReread(() => this.#read()) : null;
  }

  #fail(error: unknown): void {
    this.#setError(error);
    this.#writer.write(toCellError(error));
  }

  #setError(error: unknown): void {
    this.error = error;
    this.#calls?.notify();
  }
}

/** The list of calls for a formula: the pane's runs bring their own, and a value preview has none. */
function findCalls({ calls }: Session, invocation: Invocation): Calls | null {
  const { calls: own } = invocation as { calls?: Calls };
  return own ?? (isPreview(invocation) ? null : calls);
}

const isTooLarge = (error: unknown): boolean => error instanceof NoValueError && error.code === "FEED_RESULT_TOO_LARGE";

/** Properties of numbers need the host's support and the workbook's setting. */
export function toAbilities({ settings }: Session): Abilities {
  const { formats, properties } = readAbilities();
  return { formats, properties: properties && settings.numberProperties, dateSystem: settings.dateSystem };
}

/** The origins of a table's cells; an error of the layout is the error of each. */
export function readOrigins(look: () => Table | null): OriginReader {
  try {
    const table = look();
    return (row, column) => findOrigin(table, row, column);
  } catch (error) {
    return () => ({ error, places: [] });
  }
}

function findOrigin(table: Table | null, row: number, column: number): Origin {
  const cells = table?.rows[row] ?? [];
  const own = cells[column];
  const error = own instanceof Error ? own : null;
  const places = own instanceof Figure ? own.places : [];
  const rowPlaces = own instanceof Figure ? [] : cells.flatMap((cell) => (cell instanceof Figure ? cell.places : []));
  return { error, places, rowPlaces, ...table?.readOrigin?.(row, column) };
}
