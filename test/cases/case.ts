import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Settings } from "../../src/session/settings";
import type { Answering, Received } from "../support/http-server";
import { isCredential, startScriptedFormulas } from "../support/scripted-formulas";

/** The formula and its cell. */
export interface Call {
  formula: string;
  /** Trailing omitted arguments are left out. */
  arguments: unknown[];
  settings?: Partial<Settings>;
  /** The current time, ISO 8601 in UTC. */
  now?: string;
  /** Whether the user has disconnected in the pane. */
  disconnected?: boolean;
}

/** An answer of the provider, or of the companion if the case concerns it. */
interface Answer {
  /** Method and path with the whole query, unescaped, such as `GET /tree` or `GET /companies?page=1`. */
  request: string;
  /** JSON body of the request. */
  sent?: unknown;
  /** How often the request is made; default 1. */
  times?: number;
  /** Whether it is cancelled while pending, so that it may never arrive. */
  optional?: boolean;
  /** Default 200. */
  status?: number;
  /** Value of the header Retry-After; default none. */
  retryAfter?: string;
  /** JSON of the answer. */
  body?: unknown;
  /** Name of a body that several cases of the file share, in place of `body`. */
  shared?: string;
  /** The answer as text, if it is no JSON. */
  text?: string;
}

export interface Case {
  name: string;
  call: Call;
  answers: Answer[];
  /** Rows of the cell. */
  expected: unknown[][];
  /** The errors among them as a Japanese session shows them, each once. */
  japanese?: string[];
}

/** The cases of a formula, as its file holds them. */
interface CaseFile {
  formula: string;
  shared?: Record<string, unknown>;
  cases: (Omit<Case, "call"> & { call: Omit<Call, "formula"> })[];
}

export function readCases(): Case[] {
  const files = readdirSync(__dirname).filter((file) => file.endsWith(".json"));
  return files.flatMap((file) => toCases(JSON.parse(readFileSync(join(__dirname, file), "utf8"))));
}

/** Names each case with its formula, and gives the shared bodies to its answers. */
function toCases({ formula, shared = {}, cases }: CaseFile): Case[] {
  const toAnswer = (answer: Answer) =>
    answer.shared === undefined ? answer : { ...answer, body: shared[answer.shared] };
  return cases.map((each) => ({
    ...each,
    name: `${formula}: ${each.name}`,
    call: { formula, ...each.call },
    answers: each.answers.map(toAnswer),
  }));
}

/** The outcome of a case. */
export interface CaseResult {
  /** The cell's rows when nothing is pending. */
  shown: unknown[][] | undefined;
  /** The requests, sorted, without the optional ones. */
  requests: string[];
  /** Leaks after the cell is cleared. */
  left: { queries: number; timers: number };
}

/** Types a case's formula at a provider with the case's answers. */
export async function runCase({ call, answers }: Case): Promise<CaseResult> {
  const waiting = answers.map((answer) => ({ answer, key: toListedText(answer), left: answer.times ?? 1 }));
  const listed = new Set(waiting.map(({ key }) => key));
  const isPlayed = (request: Received) => !isCredential(request) || listed.has(toText(request));
  const stage = await startScriptedFormulas(
    (request) => {
      const next = waiting.find(({ key, left }) => left > 0 && key === toText(request));
      if (next === undefined) return undefined;
      next.left--;
      return toAnswering(next.answer);
    },
    {
      ...(call.now !== undefined && { startMs: Date.parse(call.now) }),
      ...(call.settings && { settings: call.settings }),
    },
  );
  try {
    if (call.disconnected) stage.formulas.session.disconnect();
    const cell = stage.formulas.type(call.formula, ...call.arguments);
    await stage.rest();
    const shown = cell.shown.at(-1);
    cell.cancel();
    await stage.rest();
    const left = { queries: stage.formulas.session.feed.queryCache.size(), timers: stage.clock.timers() };
    const optional = waiting.filter(({ answer }) => answer.optional).map(({ key }) => key);
    const requests = stage.requests.filter(isPlayed).map(toText);
    return { shown, requests: requests.filter((text) => !optional.includes(text)).sort(), left };
  } finally {
    await stage.close();
  }
}

/** The required requests of a case, each as often as expected, sorted. */
export function listRequests({ answers }: Case): string[] {
  const listed = answers.filter(({ optional = false }) => !optional);
  return listed.flatMap((answer) => Array<string>(answer.times ?? 1).fill(toListedText(answer))).sort();
}

function toListedText({ request, sent }: Answer): string {
  const [address = "", query = ""] = request.split("?");
  return toLine(address, query === "" ? [] : query.split("&"), sent);
}

function toText({ method, path, query, body }: Received): string {
  const parameters = [...query].map(([name, value]) => `${name}=${value}`);
  return toLine(`${method} ${decodeURIComponent(path)}`, parameters, isCompared(path, body) ? body : undefined);
}

/** Requests to the companion and the token endpoint are not part of a case. */
const isCompared = (path: string, body: unknown) => body !== "" && !path.startsWith("/companion/") && path !== "/token";

function toLine(start: string, parameters: readonly string[], sent: unknown): string {
  const query = parameters.length === 0 ? "" : `?${[...parameters].sort().join("&")}`;
  return start + query + (sent === undefined ? "" : ` ${JSON.stringify(sent)}`);
}

function toAnswering({ status = 200, retryAfter, body, text }: Answer): Answering {
  const headers: Record<string, string> = retryAfter === undefined ? {} : { "retry-after": retryAfter };
  return text === undefined ? { status, headers, json: body } : { status, headers, text };
}
