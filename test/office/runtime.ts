import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Context, createContext, runInContext, Script } from "node:vm";
import { type CallOptions, createHostSide } from "./bridge";
import { createDeliveryLog } from "./deliveries";
import type { RequirementSets } from "./external";
import { createOfficeWindow } from "./window";

interface OfficeRuntimeOptions {
  /** Origin of the page the functions run in, such as `http://127.0.0.1:3000`. */
  origin: string;
  fetch?: typeof fetch;
  /** Versions of requirement sets that differ from a current Excel's, by lower-case name. */
  requirementSets?: RequirementSets;
}

interface Bridge {
  onMessageFromHost: ((text: string) => void) | null;
  sendMessageToHost(text: string): void;
}

/** Folders served at the page's origin: Office.js and the built bundles. */
const SERVED = [join(__dirname, "../../node_modules/@microsoft/office-js/dist"), join(__dirname, "../../dist/web")];

/** Creates fetch's results and errors in the window's realm, so that `instanceof` works as in a browser. */
const REALM_FETCH = `(fetch) => async (...request) => {
  try {
    const response = await fetch(...request);
    return Object.defineProperty(response, "json", { value: async () => JSON.parse(await response.text()) });
  } catch (error) {
    if (error instanceof Error || error instanceof DOMException) throw error;
    throw new TypeError(error.message, { cause: error.cause });
  }
}`;

export type OfficeRuntime = ReturnType<typeof createOfficeRuntime>;

/** Starts the genuine custom-functions runtime in a window at an origin; desktop Excel's side of its bridge is emulated. */
export function createOfficeRuntime(options: OfficeRuntimeOptions) {
  const log = createDeliveryLog();
  const bridge: Bridge = {
    onMessageFromHost: null,
    sendMessageToHost(text) {
      const answer = host.answer(text);
      setImmediate(() => bridge.onMessageFromHost?.(answer));
    },
  };
  const faults: unknown[] = [];
  const fail = (error: unknown) => void faults.push(error);
  const host = createHostSide({ log, fail, post: (text) => bridge.onMessageFromHost?.(text) });
  const { window, clearTimers } = createOfficeWindow(options, (address) => runFile(address, context));
  const context = createContext(Object.assign(window, { _richApiNativeBridge: bridge }));
  window.fetch = runInContext(REALM_FETCH, context)(options.fetch ?? fetch);
  runFile(`${options.origin}/custom-functions-runtime.js`, context);
  return {
    ...log,
    ...host,
    load: (scriptText: string): void => runInContext(scriptText, context, { filename: "functions.js" }),
    /** Evaluates an expression in the window. */
    evaluate: (expression: string): unknown => runInContext(expression, context),
    call: (functionName: string, parameters: unknown[], rest: CallOptions = {}) =>
      host.callMany([{ ...rest, functionName, parameters }])[0]!,
    /** @throws Error the first fault of the emulation */
    dispose: () => {
      bridge.onMessageFromHost = null;
      clearTimers();
      if (faults.length > 0) throw faults[0];
    },
  };
}

/** The built formulas; read once they are called for. */
const readBundle = () => readFileSync(join(__dirname, "../../dist/web/functions.js"), "utf8");

/** Starts the runtime with the built formulas, which are ready for calls. */
export async function openFormulas(options: OfficeRuntimeOptions): Promise<OfficeRuntime> {
  const runtime = createOfficeRuntime(options);
  runtime.load(readBundle());
  await runtime.ready;
  return runtime;
}

const compiled = new Map<string, Script>();

function runFile(address: string, context: Context): boolean {
  const { pathname } = new URL(address);
  const file = SERVED.map((folder) => join(folder, pathname)).find(existsSync);
  if (file === undefined) return false;
  const script = compiled.get(file) ?? new Script(readFileSync(file, "utf8"), { filename: file });
  compiled.set(file, script);
  script.runInContext(context);
  return true;
}
