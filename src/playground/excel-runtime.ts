import { type Argument, ArgumentRefused, type BlankCells, toParameters } from "./arguments";
import { createCustomFunctions, ErrorCode } from "./custom-functions";
import type { FunctionMetadata, FunctionsMetadata } from "./metadata";
import {
  BUSY,
  EVERY_RESULT,
  type Outcome,
  type ResultError,
  type ResultRules,
  type SetError,
  toErrorOutcome,
  toOutcome,
  toSetErrorOutcome,
} from "./results";

/** Delay of the first flush. */
const FIRST_FLUSH_MS = 50;
/** Least interval between flushes. */
const FLUSH_INTERVAL_MS = 200;

interface ResultBuffer<Source> {
  /** Stores a source's latest result for the next flush, which converts it, as Office.js does. */
  put(source: Source, convert: () => Outcome): void;
}

/**
 * Creates the buffer between functions and cells; between two flushes only a source's last result counts.
 * @param accept applies a result to its source; false when nothing changed
 * @param deliver called once per flush with the changed sources
 */
function createResultBuffer<Source>(
  accept: (source: Source, result: Outcome) => boolean,
  deliver: (news: Source[]) => void,
): ResultBuffer<Source> {
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
    put(source, convert) {
      waiting.set(source, convert);
      if (isScheduled) return;
      isScheduled = true;
      setTimeout(flush, Math.max(FIRST_FLUSH_MS, lastFlushMs + FLUSH_INTERVAL_MS - Date.now()));
    },
  };
}

interface RuntimeOptions {
  /** Called once per flush with every cell whose outcome has changed. */
  onResults(cellKeys: string[]): void;
  /** Shuffles the calls and cancels of one commit, whose order Excel does not promise; default: calls first. */
  seed?: number;
  /** A cell's address, such as "Sheet1!B3"; default none. Passed to functions whose metadata requests it. */
  addressOf?(cellKey: string): string | undefined;
  /** How a referenced blank cell arrives; default "zero". */
  blankCells?: BlankCells;
  /** What cells can show; default everything. */
  results?: ResultRules;
}

/** The invocation object that a custom function receives after its parameters. */
export interface Invocation {
  functionName: string;
  isInValuePreview: boolean;
  /** Address of the first calling cell; equal streams are one. */
  address?: string;
  onCanceled?: () => void;
  setResult?(value: unknown): void;
  setError?(error: SetError): void;
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
 * Excel's custom-functions host without a grid.
 * A grid calls `beginCell`, then `call` for each function that a cell's formula evaluates, and `commit` at the end of the
 * calculation. New outcomes come through `onResults`; the grid then evaluates those cells again.
 */
export class CustomFunctionsRuntime {
  readonly #functions = createCustomFunctions();
  readonly #known = new Map<string, FunctionMetadata>();
  readonly #rules: { blankCells: BlankCells; errorsAllowed: boolean };
  readonly #toOutcome: (value: unknown) => Outcome;
  readonly #calls = new Map<string, Call>();
  readonly #callsByCell = new Map<string, Set<Call>>();
  readonly #changed = new Set<Call>();
  readonly #random: (() => number) | undefined;
  readonly #results: ResultBuffer<Call>;
  readonly #addressOf: (cellKey: string) => string | undefined;

  constructor(options: RuntimeOptions) {
    const { onResults, seed, addressOf = () => undefined, blankCells = "zero", results = EVERY_RESULT } = options;
    this.#rules = { blankCells, errorsAllowed: false };
    this.#toOutcome = (value) => toOutcome(value, results);
    this.#addressOf = addressOf;
    this.#random = seed === undefined ? undefined : createRandom(seed);
    this.#results = createResultBuffer(accept, (calls) =>
      onResults([...new Set(calls.flatMap((call) => [...call.cells]))]),
    );
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
    const { allowErrorForDataTypeAny, allowCustomDataForDataTypeAny } = metadata;
    this.#rules.errorsAllowed = allowErrorForDataTypeAny === true || allowCustomDataForDataTypeAny === true;
  }

  /** Sets how a referenced blank cell arrives; default "zero". Holds for calls evaluated from now on. */
  setBlankCells(as: BlankCells) {
    this.#rules.blankCells = as;
  }

  /** Number of running streams. */
  live() {
    return [...this.#calls.values()].filter((call) => call.state === "open" && isStream(call.metadata)).length;
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
    // Equal streams are shared by all cells; a plain function runs once for each cell.
    const key = isStream(prepared.metadata) ? prepared.key : `${prepared.key}@${cellKey}`;
    const call: Call = this.#calls.get(key) ?? { ...prepared, key, cells: new Set(), outcome: BUSY, state: "wanted" };
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

  /** Starts each new call, and cancels each call without a cell. */
  commit() {
    const changed = [...this.#changed];
    this.#changed.clear();
    const orphans = changed.filter((call) => call.cells.size === 0);
    for (const orphan of orphans) if (this.#calls.get(orphan.key) === orphan) this.#calls.delete(orphan.key);
    const wanted = changed.filter((call) => call.cells.size > 0 && call.state === "wanted");
    const cancelled = orphans.filter((call) => call.state === "open");
    const messages = [...wanted.map((call) => () => this.#start(call)), ...cancelled.map((call) => () => cancel(call))];
    if (this.#random) shuffle(messages, this.#random);
    for (const send of messages) send();
  }

  /** Makes all cells call anew from now on; earlier calls end then. */
  rerun() {
    this.#calls.clear();
  }

  #prepare(name: string, given: readonly Argument[]): Prepared {
    const metadata = this.#known.get(name.toUpperCase());
    if (!metadata) return { kind: "error", code: ErrorCode.invalidName };
    try {
      const parameters = toParameters(metadata, given, this.#rules);
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
      if (isStream(call.metadata)) Promise.resolve(returned).catch(() => undefined);
      else Promise.resolve(returned).then(this.#settle(call, this.#toOutcome), this.#settle(call, toErrorOutcome));
    } catch (thrown) {
      this.#settle(call, toErrorOutcome)(thrown);
    }
  }

  #createInvocation(call: Call): Invocation {
    const [first = ""] = call.cells;
    const address = call.metadata.options?.requiresStreamAddress ? this.#addressOf(first) : undefined;
    const named = { functionName: call.metadata.id, isInValuePreview: false };
    const invocation = address === undefined ? named : { ...named, address };
    if (!isStream(call.metadata)) return invocation;
    return {
      ...invocation,
      setResult: this.#settle(call, this.#toOutcome),
      setError: this.#settle(call, toSetErrorOutcome),
    };
  }

  #settle<Value>(call: Call, convert: (value: Value) => Outcome) {
    return (value: Value) => {
      if (call.state === "open") this.#results.put(call, () => convert(value));
    };
  }
}

function isStream(metadata: FunctionMetadata): boolean {
  return metadata.options?.stream === true;
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

function shuffle(items: unknown[], random: () => number) {
  for (let last = items.length - 1; last > 0; last--) {
    const other = Math.floor(random() * (last + 1));
    [items[last], items[other]] = [items[other], items[last]];
  }
}

/** Mulberry32: small, seeded, good enough to shuffle with. */
function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
