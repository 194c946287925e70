import { createStorage } from "../support/storage";
import { createExternal, type HostFacts, type RequirementSets } from "./external";
import constants from "./external-facts.json";

const noop = () => undefined;
const pick = (...names: string[]) =>
  Object.fromEntries(names.map((name) => [name, globalThis[name as keyof typeof globalThis]]));

/** Web globals of a page; promises, arrays and errors stay those of the window's realm. */
const WEB_GLOBALS = pick(
  ...["AbortController", "AbortSignal", "DOMException", "Event", "EventTarget", "Headers", "Request", "Response"],
  ...["TextDecoder", "TextEncoder", "URL", "URLSearchParams", "atob", "btoa", "console", "crypto", "performance"],
  ...["queueMicrotask", "structuredClone"],
);

interface WindowFacts {
  origin: string;
  /** Versions of requirement sets that differ from a current Excel's, by lower-case name. */
  requirementSets?: RequirementSets;
}

/** Runs the script at an address; false if there is no such file. */
type ScriptLoader = (address: string) => boolean;

/** Creates a bare window for the genuine custom-functions runtime: no page, no layout, only the members it reads. */
export function createOfficeWindow({ origin, requirementSets }: WindowFacts, loadScript: ScriptLoader) {
  const { protocol, host, hostname, port } = new URL(origin);
  const href = `${origin}/taskpane.html`;
  const location = { href, origin, protocol, host, hostname, port, pathname: "/taskpane.html", search: "", hash: "" };
  const { timers, clearTimers } = createTimers();
  const window: Record<string, unknown> = {
    ...WEB_GLOBALS,
    ...timers,
    location,
    document: createDocument(location, loadScript, timers.setTimeout),
    navigator: { userAgent: "node", platform: "node", language: "en-US", onLine: true },
    history: {},
    name: "",
    localStorage: createStorage()(),
    addEventListener: noop,
    removeEventListener: noop,
    external: createExternal({ ...HOST, requirementSets: { ...HOST.requirementSets, ...requirementSets } }),
  };
  for (const name of ["window", "self", "top", "parent"]) window[name] = window;
  return { window, clearTimers };
}

const HOST: HostFacts = {
  constants,
  hostInfo: "Excel$Win32$16.01$en-US$$$$3",
  language: "en-US",
  theme: {},
  requirementSets: { excelapi: "1.20", customfunctions: "1.9", customfunctionsruntime: "1.5" },
};

interface ScriptElement {
  src?: string;
  onload?: () => void;
  onerror?: () => void;
}

function createDocument(location: { origin: string }, loadScript: ScriptLoader, later: (task: () => void) => void) {
  const appendChild = (child: ScriptElement) => {
    if (!child.src) return;
    const { src } = child;
    later(() => {
      if (loadScript(new URL(src, location.origin).href)) child.onload?.();
      else child.onerror?.();
    });
  };
  const createElement = () => ({
    setAttribute: noop,
    appendChild,
    addEventListener: noop,
    getElementsByTagName: () => [],
    style: {},
    parentNode: null,
  });
  // The runtime finds its own folder by the name of its script.
  const script = { src: `${location.origin}/custom-functions-runtime.js`, getAttribute: () => null };
  return {
    readyState: "complete",
    visibilityState: "visible",
    cookie: "",
    location,
    getElementsByTagName: (tag: string) => (tag === "script" ? [script] : [createElement()]),
    getElementById: () => null,
    createElement,
    addEventListener: noop,
    removeEventListener: noop,
    body: createElement(),
    head: createElement(),
    documentElement: createElement(),
  };
}

/** Real timers that `clearTimers` ends for good, so that nothing runs on after a test. */
function createTimers() {
  const running = new Set<NodeJS.Timeout>();
  let isOver = false;
  const track = (timer: NodeJS.Timeout) => {
    if (isOver) clearTimeout(timer);
    else running.add(timer);
    return timer;
  };
  const clear = (timer?: NodeJS.Timeout) => {
    if (timer) running.delete(timer);
    clearTimeout(timer);
  };
  const timers = {
    setTimeout: (callback: (...rest: unknown[]) => void, delayMs?: number, ...rest: unknown[]) =>
      track(setTimeout(callback, delayMs, ...rest)),
    setInterval: (callback: () => void, delayMs?: number) => track(setInterval(callback, delayMs)),
    clearTimeout: clear,
    clearInterval: clear,
  };
  const clearTimers = () => {
    isOver = true;
    for (const timer of running) clearTimeout(timer);
    running.clear();
  };
  return { timers, clearTimers };
}
