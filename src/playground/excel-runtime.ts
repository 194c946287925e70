import { type Argument, ArgumentRefused, toParameters } from "./arguments";
import {
  BUSY,
  createCustomFunctions,
  ErrorCode,
  type FunctionMetadata,
  type FunctionsMetadata,
  type Outcome,
  type ResultError,
  toErrorOutcome,
  toOutcome,
} from "./custom-functions";

/** Times between the results of functions and their cells, in milliseconds. */
interface Flushing {
  /** Delay of the first flush. */
  delay: number;
  /** Least interval between flushes. */
  interval: number;
}

const AS_EXCEL: Flushing = { delay: 50, interval: 200 };

/**
 * Creates the buffer between functions and cells; between two flushes only a source's last result counts.
 * @param accept applies a result to its source; false when nothing changed
 * @param deliver called once per flush with the changed sources
 */
function createResultBuffer<Source>(
  accept: (source: Source, result: Outcome) => boolean,
  deliver: (news: Source[]) => void,
  { delay, interval }: Flushing,
) {
  const waiting = new Map<Source, () => Outcome>();
  let isScheduled = false;
  let lastFlushMs = Number.NEGATIVE_INFINITY;

  function flush() {
    isScheduled = false;
    lastFlushMs = Date.now();
    const results = [...waiting];
    waiting.clear();
    const news = results.filter(([source, convert]) => accept(source, convert())).map(([source]) => source);
    if (news.length > 0) deliver(news);
  }

  return {
    /** Whether results are on their way to cells. */
    areWaiting: () => waiting.size > 0,
    /** Stores a source's latest result for the next flush, which converts it, as Office.js does. */
    put(source: Source, convert: () => Outcome) {
      waiting.set(source, convert);
      if (isScheduled) return;
      isScheduled = true;
      setTimeout(flush, Math.max(delay, lastFlushMs + interval - Date.now()));
    },
  };
}

interface RuntimeOptions {
  /** Called once per flush with every cell whose outcome has changed. */
  onResults(cellKeys: string[]): void;
  /** A cell's address, such as "Sheet1!B3"; default none. Passed to functions whose metadata requests it. */
  addressOf?(cellKey: string): string | undefined;
  /** Default Excel's. */
  flushing?: Flushing;
}

/** The invocation object that a custom function receives after its parameters. */
export interface Invocation {
  functionName: string;
  isInValuePreview: boolean;
  /** Address of the first calling cell; equal streams are one. */
  address?: string;
  onCanceled?: () => void;
  setResult(value: unknown): void;
}

interface Call {
  key: string;
  metadata: FunctionMetadata;
  parameters: unknown[];
  cells: Set<string>;
  outcome: Outcome;
  state: "wanted" | "open" | "closed";
  invocation?: Invocation;
}

type Prepared = { key: string; metadata: FunctionMetadata; parameters: unknown[] } | ResultError;

/** Creates a runtime without functions. */
export const createCustomFunctionsRuntime = (options: RuntimeOptions) => new CustomFunctionsRuntime(options);

/**
 * Excel's custom-functions host without a grid, for functions that stream. Equal streams of all cells are one.
 * A grid calls `beginCell`, then `call` for each function that a cell's formula evaluates, and `commit` at the end of the
 * calculation. New outcomes come through `onResults`; the grid then evaluates those cells again.
 */
export class CustomFunctionsRuntime {
  readonly #functions = createCustomFunctions();
  readonly #known = new Map<string, FunctionMetadata>();
  readonly #calls = new Map<string, Call>();
  readonly #callsByCell = new Map<string, Set<Call>>();
  readonly #changed = new Set<Call>();
  readonly #results: ReturnType<typeof createResultBuffer<Call>>;
  readonly #addressOf: (cellKey: string) => string | undefined;

  constructor(options: RuntimeOptions) {
    const { onResults, addressOf = () => undefined, flushing = AS_EXCEL } = options;
    const deliver = (calls: Call[]) => onResults([...new Set(calls.flatMap((call) => [...call.cells]))]);
    this.#addressOf = addressOf;
    this.#results = createResultBuffer(accept, deliver, flushing);
  }

  /** The global `CustomFunctions` to define before the bundle is loaded. */
  get customFunctions() {
    return this.#functions.global;
  }

  /** Whether a bundle has associated functions. */
  hasFunctions() {
    return this.#functions.size() > 0;
  }

  /** Loads the content of functions.json. */
  load(metadata: FunctionsMetadata) {
    for (const each of metadata.functions) this.#known.set(each.name.toUpperCase(), each);
  }

  /** Number of running streams. */
  live() {
    return [...this.#calls.values()].filter((call) => call.state === "open").length;
  }

  /** Whether a call has no result yet, or one that its cells do not have. */
  isBusy() {
    for (const { outcome } of this.#calls.values()) if (outcome === BUSY) return true;
    return this.#results.areWaiting();
  }

  /** Begins a cell's evaluation, which drops its earlier calls. */
  beginCell(cellKey: string) {
    for (const call of this.#callsByCell.get(cellKey) ?? []) {
      call.cells.delete(cellKey);
      this.#changed.add(call);
    }
    this.#callsByCell.delete(cellKey);
  }

  /** Returns the latest outcome of a cell's call; a new call starts at the next commit. */
  call(name: string, given: readonly Argument[], cellKey: string): Outcome {
    const prepared = this.#prepare(name, given);
    if ("code" in prepared) return prepared;
    const { key } = prepared;
    const call: Call = this.#calls.get(key) ?? { ...prepared, cells: new Set(), outcome: BUSY, state: "wanted" };
    this.#calls.set(key, call);
    if (call.state === "wanted") this.#changed.add(call);
    call.cells.add(cellKey);
    this.#callsByCell.set(cellKey, (this.#callsByCell.get(cellKey) ?? new Set()).add(call));
    return call.outcome;
  }

  /** Returns the latest outcome of an equal call of any cell; starts none. */
  peek(name: string, given: readonly Argument[]): Outcome {
    const prepared = this.#prepare(name, given);
    if ("code" in prepared) return prepared;
    return this.#calls.get(prepared.key)?.outcome ?? BUSY;
  }

  /** Lists the cells of a call, by its parameters' names. */
  listCells(name: string, given: Readonly<Record<string, unknown>>): string[] {
    const metadata = this.#known.get(name.toUpperCase());
    const parameters = metadata?.parameters.map((parameter) => given[parameter.name] ?? null);
    return [...(this.#calls.get(JSON.stringify([metadata?.id, parameters]))?.cells ?? [])];
  }

  /** Starts each new call, and cancels each call without a cell. */
  commit() {
    const changed = [...this.#changed];
    this.#changed.clear();
    const orphans = changed.filter((call) => call.cells.size === 0);
    for (const orphan of orphans) if (this.#calls.get(orphan.key) === orphan) this.#calls.delete(orphan.key);
    const wanted = changed.filter((call) => call.cells.size > 0 && call.state === "wanted");
    const cancelled = orphans.filter((call) => call.state === "open");
    for (const call of wanted) this.#start(call);
    for (const call of cancelled) cancel(call);
  }

  /** Makes all cells call anew from now on; earlier calls end then. */
  rerun() {
    this.#calls.clear();
  }

  /** Ends all calls, for good. */
  end() {
    for (const call of this.#calls.values()) if (call.state === "open") cancel(call);
    this.rerun();
  }

  #prepare(name: string, given: readonly Argument[]): Prepared {
    const metadata = this.#known.get(name.toUpperCase());
    if (!metadata) return { kind: "error", code: ErrorCode.invalidName };
    try {
      const parameters = toParameters(metadata, given);
      return { key: JSON.stringify([metadata.id, parameters]), metadata, parameters };
    } catch (error) {
      if (!(error instanceof ArgumentRefused)) throw error;
      const { code, message } = error;
      return message === "" ? { kind: "error", code } : { kind: "error", code, message };
    }
  }

  #start(call: Call) {
    call.state = "open";
    const implementation = this.#functions.find(call.metadata.id);
    if (!implementation) return this.#results.put(call, () => ({ kind: "error", code: ErrorCode.invalidName }));
    call.invocation = this.#createInvocation(call);
    try {
      const returned: unknown = Reflect.apply(implementation, undefined, [...call.parameters, call.invocation]);
      // A streaming function's return value and rejection are ignored, as in Excel.
      Promise.resolve(returned).catch(() => undefined);
    } catch (thrown) {
      this.#settle(call, toErrorOutcome)(thrown);
    }
  }

  #createInvocation(call: Call): Invocation {
    const [first = ""] = call.cells;
    const address = call.metadata.options?.requiresStreamAddress ? this.#addressOf(first) : undefined;
    return {
      functionName: call.metadata.id,
      isInValuePreview: false,
      ...(address !== undefined && { address }),
      setResult: this.#settle(call, toOutcome),
    };
  }

  #settle<Value>(call: Call, convert: (value: Value) => Outcome) {
    return (value: Value) => {
      if (call.state === "open") this.#results.put(call, () => convert(value));
    };
  }
}

/** Applies a result to its call; false when it is late or equal, so that no cell is evaluated. */
function accept(call: Call, outcome: Outcome): boolean {
  if (call.state !== "open" || JSON.stringify(call.outcome) === JSON.stringify(outcome)) return false;
  call.outcome = outcome;
  return true;
}

function cancel(call: Call) {
  call.state = "closed";
  try {
    call.invocation?.onCanceled?.();
  } catch {
    // A cancel handler that fails must not spoil the other cells.
  }
}
