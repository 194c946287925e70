import { READING_HEADER, REFRESH_HEADER, REFUSAL_HEADER } from "../../contract/companion-api";
import {
  DecodeError,
  type ErrorFacts,
  FeedError,
  InternalError,
  NoValueError,
  RequestError,
  SignerError,
} from "../errors";
import { redactBody } from "../redaction";
import { readRetryAfterMs } from "./retry";

/** A good answer. */
export interface Reply {
  /** Its JSON. */
  body: unknown;
  /** When the provider gave it, in milliseconds since the Unix epoch, where the companion had it already. */
  asOfMs?: number | undefined;
  /** Where the companion had an older one than was wanted: from when on it asks for a newer one. */
  newerAtMs?: number | undefined;
  /** Of which reading of its list the companion has it. */
  reading?: string | undefined;
}

/** An answer above this would take the pane down with it. */
const MAX_BODY_BYTES = 50_000_000;

const LONGEST_PROVIDER_TEXT = 200;

/**
 * Reads an answer: the JSON of a success, or the error that its status stands for. The API document names
 * only 404 (§7); the other statuses are read by the HTTP convention.
 *
 * @param secrets what the request carried and no sentence may repeat: a cell's text is saved with its workbook
 * @param isOfCompanion whether it came from the companion, whose own answers and the provider's it then tells apart
 * @param receive is told the length of each part that comes, in bytes
 * @throws RequestError (by status; FEED_NETWORK_FAILED for what is no JSON), NoValueError (FEED_RESULT_TOO_LARGE),
 *   SignerError (FEED_SIGNER_REFUSED)
 */
export async function readReply(
  response: Response,
  nowMs: number,
  secrets: readonly string[],
  isOfCompanion: boolean,
  receive: (bytes: number) => void,
): Promise<Reply> {
  // Status 0 is what a browser shows of a redirect that it was told not to follow.
  if (response.status === 0 || (response.status >= 300 && response.status < 400)) {
    throw new RequestError("FEED_NETWORK_FAILED", "the answer was a redirect, as of a sign-in page; check the network");
  }
  // Only the companion's word is taken: of whoever else stands between, nobody knows what its age counts from.
  const readSeconds = (name: string) => Number(isOfCompanion && response.headers.get(name)) * 1000;
  const ageMs = readSeconds("age");
  const asOfMs = ageMs > 0 ? nowMs - ageMs : undefined;
  const text = await readText(response, receive);
  if (isOfCompanion && response.status === 204) return { body: null };
  const body = parseJson(text);
  if (!response.ok) throw toError(response, redactBody(body, secrets), nowMs, isOfCompanion);
  if (body === undefined) {
    throw new RequestError(
      "FEED_NETWORK_FAILED",
      "the answer was cut off or is no JSON, as from a sign-in page; check the network, then refresh",
      { status: response.status },
    );
  }
  if (hasError(body)) throw toMalformed(response.status, redactBody(body, secrets));
  const waitMs = readSeconds(REFRESH_HEADER);
  const reading = (isOfCompanion && response.headers.get(READING_HEADER)) || undefined;
  return { body, asOfMs, newerAtMs: waitMs > 0 ? nowMs + waitMs : undefined, reading };
}

async function readText(response: Response, receive: (bytes: number) => void): Promise<string> {
  if (response.body === null) return "";
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  let bytes = 0;
  let text = "";
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return text + decoder.decode();
      bytes += value.byteLength;
      receive(value.byteLength);
      if (bytes > MAX_BODY_BYTES) {
        throw new NoValueError("FEED_RESULT_TOO_LARGE", "the provider's answer is above 50 MB; ask for fewer rows");
      }
      text += decoder.decode(value, { stream: true });
    }
  } catch (error) {
    reader.cancel().catch(() => undefined); // the connection is given up; why it failed is thrown below
    if (error instanceof FeedError) throw error;
    throw new RequestError("FEED_NETWORK_FAILED", "the connection broke during the answer; refresh");
  }
}

/** Reads JSON; undefined where it is none, which no JSON text stands for. */
function parseJson(text: string): unknown {
  const exact = MAY_OVERFLOW.test(text) ? undefined : parse(text);
  return exact === undefined ? parse(quoteOddNumbers(text)) : exact;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** What could be a number too large for one, which JSON.parse reads as Infinity and JSON.stringify writes as null. */
const MAY_OVERFLOW = /\d[eE]\+?\d{3,}\s*[,\]}]|(?<!\d)\d{309}/;

const NUMBER = /^-?(NaN|Infinity|\d[\d.eE+-]*)$/;

/** NaN, Infinity and 1e400 become texts, so that each spoils its own cell and not the whole answer. */
function quoteOddNumbers(text: string): string {
  let isInText = false;
  return text.replace(/\\.|"|[\w.+-]+/g, (token) => {
    if (token === '"') isInText = !isInText;
    return !isInText && NUMBER.test(token) && !Number.isFinite(Number(token)) ? `"${token}"` : token;
  });
}

/** A success has no such field (§2): whatever were read out of one with it would be blanks. */
function hasError(body: unknown): boolean {
  const { error } = Object(body) as { error?: unknown };
  return typeof error === "object" && error !== null;
}

function toMalformed(status: number, body: unknown): DecodeError {
  const { text, traceId } = readErrorBody(body);
  const said = text === "" ? "" : ` (${text})`;
  const facts = traceId === undefined ? { status } : { status, traceId };
  return new DecodeError(`the provider answered with an error in place of data${said}; refresh later`, facts);
}

function toError(response: Response, body: unknown, nowMs: number, isOfCompanion: boolean): FeedError {
  const { status, headers } = response;
  const { text, traceId } = readErrorBody(body);
  const retryAfterMs = readRetryAfterMs(headers.get("retry-after"), headers.get("date"), nowMs);
  const facts: ErrorFacts = { status };
  if (traceId !== undefined) facts.traceId = traceId;
  if (retryAfterMs !== undefined) facts.retryAfterMs = retryAfterMs;
  if (text !== "") facts.said = text;
  const refusalCode = isOfCompanion ? headers.get(REFUSAL_HEADER) : null;
  if (refusalCode !== null) facts.mistakes = readMistakes(body);
  return refusalCode === null ? toStatusError(status, facts) : toRefusal(refusalCode, status, facts);
}

/** Converts a status that is no success to the error that it stands for, whose sentence says what to do. */
export function toStatusError(status: number, facts: ErrorFacts): RequestError {
  const { said: text = "", retryAfterMs } = facts;
  const said = text === "" ? "" : ` (${text})`;
  const later = retryAfterMs ? toAgain(retryAfterMs) : "refresh later";
  if (status === 401) {
    return new RequestError("FEED_UNAUTHORISED", `the provider refused the token${said}; connect again`, facts);
  }
  if (status === 403) {
    return new RequestError("FEED_SCOPE_MISSING", `this client may not read that${said}; ask the provider`, facts);
  }
  if (status === 404)
    return new RequestError("FEED_NOT_FOUND", `the provider has no such record${said}; check the id`, facts);
  if (status === 408) return new RequestError("FEED_TIMED_OUT", `the provider gave up${said}; ${later}`, facts);
  if (status === 429)
    return new RequestError("FEED_RATE_LIMITED", `too many requests${said}; ${toAgain(retryAfterMs)}`, facts);
  if (status >= 500) {
    return new RequestError("FEED_SERVER_FAILED", `the provider failed with ${status}${said}; ${later}`, facts);
  }
  return new RequestError(
    "FEED_REQUEST_INVALID",
    `the provider refused the request with ${status}${said}; ${text === "" ? "check the arguments" : "correct what it names"}`,
    facts,
  );
}

/** What asked to wait is asked again when that is over, by the session. */
function toAgain(retryAfterMs = 0): string {
  const seconds = Math.ceil(retryAfterMs / 1000);
  if (seconds === 0) return `${AGAIN} in a moment`;
  if (seconds > 120) return `${AGAIN} in ${Math.ceil(seconds / 60)} minutes`;
  return `${AGAIN} in ${seconds} ${seconds === 1 ? "second" : "seconds"}`;
}

const AGAIN = "this is asked again by itself";

/** The ranking family's error shape (§7), the OAuth one, or a plain message; of any other nothing is taken. */
function readErrorBody(body: unknown): { text: string; traceId?: string } {
  if (typeof body !== "object" || body === null) return { text: "" };
  const { error, error_description: description, message: plain, detail, title } = body as Record<string, unknown>;
  if (typeof error === "string") return { text: clip([error, description ?? plain].filter(isText).join(": ")) };
  if (typeof error !== "object" || error === null) return { text: clip([plain, detail, title].find(isText) ?? "") };
  const { message, code, details, traceId } = error as Record<string, unknown>;
  const issues = (Array.isArray(details) ? details : []).map((detail) =>
    [detail?.field, detail?.issue].filter(isText).join(": "),
  );
  const text = clip([isText(message) ? message : code, ...issues].filter(isText).join("; "));
  return isText(traceId) ? { text, traceId: clip(traceId) } : { text };
}

/** What the companion's own refusal of a set-up lists. */
function readMistakes(body: unknown): string[] {
  const { mistakes } = ((body as { error?: unknown } | null)?.error ?? {}) as { mistakes?: unknown };
  return Array.isArray(mistakes) ? mistakes.filter(isText) : [];
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}

function clip(text: string): string {
  return text.length > LONGEST_PROVIDER_TEXT ? `${text.slice(0, LONGEST_PROVIDER_TEXT)}…` : text;
}

/** What the companion says in the provider's place: these it answers for a request that it did not get through. */
const OF_REQUESTS = [
  "FEED_REQUEST_INVALID",
  "FEED_SCOPE_MISSING",
  "FEED_RATE_LIMITED",
  "FEED_SERVER_FAILED",
  "FEED_NETWORK_FAILED",
  "FEED_TIMED_OUT",
] as const;

/**
 * Converts a refusal of the companion itself to the error that it names; a code that is not known is a refusal all the same.
 *
 * @param code what its header says: by that header, which the relay takes from no provider, it is told from an answer
 */
function toRefusal(code: string, status: number, facts: ErrorFacts): FeedError {
  const refusalFacts: ErrorFacts = { ...facts, refusal: code };
  if (status === 401) return new SignerError("FEED_SIGNER_REFUSED", NOT_PAIRED, refusalFacts);
  if (code === "FEED_INTERNAL") return new InternalError("the companion failed, and its log says why", refusalFacts);
  const said = facts.said === undefined ? ` with ${status}` : `: ${facts.said.replace(/\.$/, "")}`;
  const known = OF_REQUESTS.find((each) => each === code);
  if (known !== undefined) return new RequestError(known, `the companion answered${said}`, refusalFacts);
  const verb = status >= 500 ? "could not answer" : "refused"; // what failed has refused nothing
  return new SignerError("FEED_SIGNER_REFUSED", `the companion ${verb}${said}`, refusalFacts);
}

const NOT_PAIRED = "this page is not paired with the companion; enter the pairing code in the FEED pane";
