import { isLoopback } from "../companion/address";
import { UsageError } from "../companion/commands/results";
import { findFolder, type Surroundings } from "../companion/commands/surroundings";
import { ConfigurationError } from "../companion/configuration/reading";
import { parseJson } from "../companion/json";
import { findNetworkFailure } from "../companion/network";
import { toCommand } from "../companion/program";
import { createFileStore } from "../companion/store";
import { CLIENT_HEADER, CLIENT_NAME, PAIRING_HEADER } from "../contract/companion-api";

/** A pairing that stands, and whom it reads for. */
export interface Paired {
  /** Null with sample data, which need none. */
  bearer: string | null;
  isSample: boolean;
  clientId: string;
  baseUrl: string;
}

/** The companion to pair with. */
interface Companion {
  origin: string;
  /** As the person typed it; absent where the pairing stands. */
  code: string | undefined;
  fetch: typeof fetch;
}

/** What is kept of one companion, in a file of the person alone. */
interface Kept {
  bearer?: string;
  /** A request for a code, which serves no other: its secret, and the command that makes the code. */
  request?: { secret: string; command: string; atMs: number };
}

type Companions = Record<string, Kept>;

/** A companion remembers a request for an hour. */
const REQUEST_MS = 50 * 60_000;

/**
 * Reads the address of a companion.
 * @throws UsageError; a pairing's secret must not travel in the clear.
 */
export function readOrigin(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isSafe = url?.protocol === "https:" || (url?.protocol === "http:" && isLoopback(url.hostname));
  if (url !== undefined && isSafe && url.pathname === "/" && url.search + url.hash === "") return url.origin;
  throw new UsageError(
    "--companion must be an origin such as https://localhost:3000, with nothing after it; http is for this machine alone.",
  );
}

/**
 * Gives the pairing with a companion: the kept one, or by a code a new one, which is then kept.
 * @throws ConfigurationError with what to do where there is none; Error where the companion does not answer.
 */
export async function pair(companion: Companion, surroundings: Surroundings): Promise<Paired> {
  const { origin, code } = companion;
  const store = createFileStore<Companions>(findFolder(surroundings).companions, {}, areKept);
  const keep = (own: Kept) => store.change((all) => ({ value: { ...all, [origin]: own }, result: undefined }));
  const { bearer: kept = null, request } = (await store.read())[origin] ?? {};
  const isNew = code !== undefined && request !== undefined;
  const bearer = isNew ? await exchange(companion, `${code.trim()}.${request.secret}`, request.command) : kept;
  if (isNew && bearer !== null) await keep({ bearer });
  const { status, body } = await call(companion, "GET", "config", bearer);
  if (status === 200) {
    return { bearer, isSample: body.sample === true, clientId: String(body.clientId), baseUrl: String(body.baseUrl) };
  }
  if (status === 401) throw await invite(companion, request, keep, surroundings);
  throw new Error(toSentence(companion, status, body));
}

/** Exchanges a code with its request's secret for a bearer. */
async function exchange(companion: Companion, code: string, command: string): Promise<string> {
  const { status, body } = await call(companion, "POST", "pairing", null, { code });
  if (status === 200 && typeof body.bearer === "string" && /^[\w-]+$/.test(body.bearer)) return body.bearer;
  if (status !== 403) throw new Error(toSentence(companion, status, body));
  throw new ConfigurationError([], `The code is wrong, or has ended. For another one, run where it runs: ${command}`);
}

/** Asks the companion for a code, unless one may be on its way, and gives the sentence for the person. */
async function invite(
  companion: Companion,
  request: Kept["request"],
  keep: (own: Kept) => Promise<void>,
  { nowMs = Date.now }: Surroundings,
): Promise<Error> {
  const { origin } = companion;
  if ((await call(companion, "GET", "sign-in", null)).status === 200) {
    return new ConfigurationError(
      [],
      `People sign in at the companion ${origin}, and a command cannot: give it a client's key of its own, by the settings of: ${toCommand("start --help")}`,
    );
  }
  let standing = request;
  if (standing === undefined || nowMs() - standing.atMs > REQUEST_MS) {
    const { status, body } = await call(companion, "POST", "pairing/request", null, {});
    if (status !== 200) return new Error(toSentence(companion, status, body));
    standing = { secret: String(body.secret), command: String(body.command), atMs: nowMs() };
    await keep({ request: standing });
  }
  return new ConfigurationError(
    [],
    `This command is not paired with the companion ${origin}. Where that runs, run: ${standing.command} . Then repeat this command once with: --code CODE`,
  );
}

/** An answer of the companion; its body is empty where it is no JSON object. */
interface Answer {
  status: number;
  body: Record<string, unknown>;
}

/** @throws Error with a sentence where the companion cannot be reached */
async function call(
  { origin, fetch }: Companion,
  method: "GET" | "POST",
  path: string,
  bearer: string | null,
  said?: object,
): Promise<Answer> {
  const headers = {
    [CLIENT_HEADER]: CLIENT_NAME,
    ...(bearer !== null && { [PAIRING_HEADER]: bearer }),
    ...(said !== undefined && { "content-type": "application/json" }),
  };
  const body = said === undefined ? undefined : JSON.stringify(said);
  const signal = AbortSignal.timeout(ANSWER_MS);
  try {
    const response = await fetch(`${origin}/companion/${path}`, { method, headers, body, redirect: "manual", signal });
    const parsed = parseJson(await response.text());
    return { status: response.status, body: Object(parsed) as Answer["body"] };
  } catch (error) {
    throw explainSilence(origin, error);
  }
}

/** A companion answers these calls by itself. */
const ANSWER_MS = 10_000;

function explainSilence(origin: string, error: unknown): Error {
  const failure = findNetworkFailure(error);
  if (failure !== undefined)
    return new Error(`The companion ${origin} was not reached: ${failure.message}; ${failure.cure}.`);
  const { code = "no answer" } = Object(Object(error).cause ?? error) as { code?: string };
  return new Error(`The companion ${origin} was not reached (${code}). Check the address, and that it runs.`);
}

/** The companion's own words, or that it is none. */
function toSentence({ origin }: Companion, status: number, { error }: Answer["body"]): string {
  const { message } = Object(error) as { message?: unknown };
  return typeof message === "string"
    ? message
    : `${origin} answers as no companion does (${status}). Check the address.`;
}

/** Whether a person's file holds what this program wrote. */
const areKept = (companions: Companions): boolean =>
  Object.values(companions).every(
    ({ bearer, request }) =>
      (bearer === undefined || typeof bearer === "string") &&
      (request === undefined || (typeof request.secret === "string" && typeof request.command === "string")),
  );
