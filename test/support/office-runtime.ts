import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Context, createContext, runInContext, Script } from "node:vm";
import { createDeliveryLog, type Delivery, type DeliveryLog, type SentAction } from "./office-deliveries";
import { createOfficeWindow } from "./office-window";

/** One call of a custom function, as the host would make it. */
export interface FunctionCall {
  functionName: string;
  parameters: unknown[];
  stream?: boolean;
  cancelable?: boolean;
  /** Errors inside the parameters are handed over (functions.json: allowErrorForDataTypeAny). */
  allowErrors?: boolean;
  /** Parameters may be data types, each as `{ value: "<JSON>" }`. */
  richData?: boolean;
  address?: string;
}

export type CallOptions = Omit<FunctionCall, "functionName" | "parameters">;

export interface OfficeRuntimeOptions {
  /** Origin of the page the functions run in, such as `http://127.0.0.1:3000`. */
  origin: string;
  fetch?: typeof fetch;
}

/** The genuine custom-functions runtime of Office.js, with desktop Excel's side of its bridge played here. */
export interface OfficeRuntime {
  /** Settled when the add-in has told the host that its functions are ready. */
  readonly ready: Promise<void>;
  /** The actions of every message the add-in sent, one list a message. */
  readonly messagesSent: readonly SentAction[][];
  load(scriptText: string): void;
  /** The value of an expression in the window. */
  evaluate(expression: string): unknown;
  call(functionName: string, parameters: unknown[], options?: CallOptions): number;
  /** Makes all the calls in one message of the host. */
  callMany(calls: FunctionCall[]): number[];
  /** Cancels in one message of the host. */
  cancel(...invocationIds: number[]): void;
  results(invocationId: number): readonly Delivery[];
  /** The oldest result of the invocation that `next` has not handed out yet, as soon as it is there. */
  next(invocationId: number): Promise<Delivery>;
  /** The latest result of each invocation, as soon as every one of them has any. */
  settled(invocationIds: number[]): Promise<Delivery[]>;
  dispose(): void;
}

interface Bridge {
  onMessageFromHost: ((text: string) => void) | null;
  sendMessageToHost(text: string): void;
}

interface RequestAction {
  Id: number;
  Name?: string;
  ArgumentInfo?: { Arguments?: unknown[] };
}

const DIST = join(__dirname, "../../node_modules/@microsoft/office-js/dist");
const FLAG = { cancelable: 1, stream: 2, allowErrors: 4, richData: 8 } as const;
const MESSAGE = { call: 1000, cancel: 1001 } as const;
const ENABLED_FEATURES = [1, 2, 3, 4];

/** In a browser what fetch gives and throws belongs to the page's own realm, and `instanceof` works on it. */
const REALM_FETCH = `(fetch) => async (...request) => {
  try {
    const response = await fetch(...request);
    return Object.defineProperty(response, "json", { value: async () => JSON.parse(await response.text()) });
  } catch (error) {
    if (error instanceof Error || error instanceof DOMException) throw error;
    throw new TypeError(error.message, { cause: error.cause });
  }
}`;

/** Starts the genuine runtime in a window of its own, at a page of the given origin. */
export function createOfficeRuntime(options: OfficeRuntimeOptions): OfficeRuntime {
  const log = createDeliveryLog();
  const bridge = createBridge(log);
  const { window, clearTimers } = createOfficeWindow(options.origin, (address) => runOfficeFile(address, context));
  const context = createContext(Object.assign(window, { _richApiNativeBridge: bridge }));
  window.fetch = runInContext(REALM_FETCH, context)(options.fetch ?? fetch);
  runOfficeFile(`${options.origin}/custom-functions-runtime.js`, context);
  const { callMany, cancel } = createHost(bridge);
  return {
    ready: log.ready,
    messagesSent: log.messagesSent,
    load: (scriptText) => runInContext(scriptText, context, { filename: "functions.js" }),
    evaluate: (expression) => runInContext(expression, context),
    call: (functionName, parameters, rest = {}) => callMany([{ ...rest, functionName, parameters }])[0]!,
    callMany,
    cancel,
    results: log.results,
    next: log.next,
    settled: log.settled,
    dispose: () => {
      bridge.onMessageFromHost = null;
      clearTimers();
    },
  };
}

const compiled = new Map<string, Script>();

function runOfficeFile(address: string, context: Context): boolean {
  const file = join(DIST, new URL(address).pathname);
  if (!existsSync(file)) return false;
  const script = compiled.get(file) ?? new Script(readFileSync(file, "utf8"), { filename: file });
  compiled.set(file, script);
  script.runInContext(context);
  return true;
}

function createHost(bridge: Bridge) {
  let lastInvocationId = 0;
  const post = (messageType: number, messages: object[]) => {
    const entries = messages.map((message) => ({ messageCategory: 1, messageType, targetId: "", message, id: "0" }));
    bridge.onMessageFromHost?.(JSON.stringify({ type: 3, message: { entries } }));
  };
  return {
    callMany(calls: FunctionCall[]) {
      const messages = calls.map((call) => ({ ...toCallMessage(call), invocationId: ++lastInvocationId }));
      post(MESSAGE.call, messages);
      return messages.map((message) => message.invocationId);
    },
    cancel(...invocationIds: number[]) {
      const messages = invocationIds.map((invocationId) => ({ invocationId }));
      post(MESSAGE.cancel, messages);
    },
  };
}

function toCallMessage({ functionName, parameters, address, ...call }: FunctionCall) {
  const names = Object.keys(FLAG) as (keyof typeof FLAG)[];
  const flags = names.reduce((sum, name) => sum | (call[name] ? FLAG[name] : 0), 0);
  return { functionName, parameterValues: parameters, address, flags };
}

/** Answers the add-in as Excel would: every action succeeds, and only the enabled features have a value to tell. */
function createBridge(log: DeliveryLog): Bridge {
  const bridge: Bridge = {
    onMessageFromHost: null,
    sendMessageToHost(text) {
      const { id, message } = JSON.parse(text) as { id: string; message: { body?: string | object } };
      const body = typeof message.body === "string" ? JSON.parse(message.body) : message.body;
      const actions: RequestAction[] = body?.Actions ?? [];
      const Results = actions
        .filter((action) => action.Name === "_GetEnabledFeatures")
        .map((action) => ({ ActionId: action.Id, Value: ENABLED_FEATURES }));
      const answer = { statusCode: 200, headers: {}, body: JSON.stringify({ Results }) };
      setImmediate(() => bridge.onMessageFromHost?.(JSON.stringify({ id, type: 2, message: answer })));
      log.add(actions.flatMap(toSentAction));
    },
  };
  return bridge;
}

/** An action without a name only creates the object that the next ones address. */
function toSentAction({ Name, ArgumentInfo }: RequestAction): SentAction[] {
  return Name ? [{ name: Name, arguments: ArgumentInfo?.Arguments ?? [] }] : [];
}
