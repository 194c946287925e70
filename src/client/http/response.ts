import { PARTIAL_HEADER, READING_HEADER, REFRESH_HEADER, REFUSAL_HEADER } from "../../contract/companion-api";
import {
  DecodeError,
  type ErrorFacts,
  FeedError,
  InternalError,
  NoValueError,
  RequestError,
  SignerError,
} from "../errors";
import { type Message, msg, Sentence } from "../messages";
import { readRetryAfterMs } from "./retry";

/** A good answer. */
export interface Reply {
  /** Its JSON. */
  body: unknown;
  /** When the provider gave it, in milliseconds since the Unix epoch; absent unless the companion had it cached. */
  asOfMs?: number | undefined;
  /** When a newer answer may be requested, where the companion's was older than wanted. */
  newerAtMs?: number | undefined;
  /** The companion's reading of the list. */
  reading?: string | undefined;
  /** Whether the companion gave only what it had cached. */
  isPartial?: boolean;
}

/** A larger answer could crash the pane. */
const MAX_BODY_BYTES = 50_000_000;

const LONGEST_PROVIDER_TEXT = 200;

/**
 * Reads an answer: the JSON of a success, or the error of its status. The API document names only 404 (§7); other
 * statuses follow the HTTP convention.
 *
 * @param secrets secrets of the request, which no error may repeat: a cell's text is saved with its workbook
 * @param isOfCompanion whether the companion answered, whose own answers then differ from the provider's
 * @param receive gets the length of each part, in bytes
 * @param pause ends a task of a long answer
 * @throws RequestError (by status; FEED_NETWORK_FAILED for invalid JSON), NoValueError (FEED_RESULT_TOO_LARGE),
 *   SignerError (FEED_SIGNER_REFUSED), DecodeError (FEED_RESPONSE_MALFORMED of text that is not of its declared charset)
 */
export async function readReply(
  response: Response,
  nowMs: number,
  secrets: readonly string[],
  isOfCompanion: boolean,
  receive: (bytes: number) => void,
  pause: Pause,
): Promise<Reply> {
  // Browsers give status 0 for a redirect that is not followed.
  if (response.status === 0 || (response.status >= 300 && response.status < 400)) {
    throw new RequestError(
      "FEED_NETWORK_FAILED",
      msg`the answer was a redirect, as of a sign-in page; check the network`,
    );
  }
  // Only the companion's Age counts: a proxy's may count from another time.
  const readSeconds = (name: string) => Number(isOfCompanion && response.headers.get(name)) * 1000;
  const ageMs = readSeconds("age");
  const asOfMs = ageMs > 0 ? nowMs - ageMs : undefined;
  const text = await readText(response, receive, pause);
  if (isOfCompanion && response.status === 204) return { body: null };
  const body = await parseJson(text, pause);
  if (!response.ok) throw toError(response, redactBody(body, secrets), nowMs, isOfCompanion);
  if (body === undefined) {
    throw new RequestError(
      "FEED_NETWORK_FAILED",
      msg`the answer was cut off or is no JSON, as from a sign-in page; check the network, then refresh`,
      { status: response.status },
    );
  }
  if (hasError(body)) throw toMalformed(response.status, redactBody(body, secrets));
  const waitMs = readSeconds(REFRESH_HEADER);
  const readWord = (name: string) => (isOfCompanion && response.headers.get(name)) || undefined;
  const isPartial = readWord(PARTIAL_HEADER) !== undefined;
  return {
    body,
    asOfMs,
    newerAtMs: waitMs > 0 ? nowMs + waitMs : undefined,
    reading: readWord(READING_HEADER),
    ...(isPartial && { isPartial }),
  };
}

async function readText(response: Response, receive: (bytes: number) => void, pause: Pause): Promise<string> {
  if (response.body === null) return "";
  const reader = response.body.getReader();
  const decoder = createDecoder(response);
  let [bytes, inTask] = [0, 0];
  let text = "";
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return text + decoder.end();
      bytes += value.byteLength;
      inTask += value.byteLength;
      receive(value.byteLength);
      if (bytes > MAX_BODY_BYTES) {
        throw new NoValueError("FEED_RESULT_TOO_LARGE", msg`the provider's answer is above 50 MB; ask for fewer rows`);
      }
      text += decoder.decode(value);
      if (inTask < CHARACTERS_A_TASK) continue;
      inTask = 0;
      await pause(); // parts that are there come in one task
    }
  } catch (error) {
    reader.cancel().catch(() => undefined); // the error is thrown below
    if (error instanceof FeedError) throw error;
    throw new RequestError("FEED_NETWORK_FAILED", msg`the connection broke during the answer; refresh`);
  }
}

/** Charsets of one byte a letter, which fit any bytes: servers name one by default and write UTF-8 all the same. */
const SINGLE_BYTE = /^(?:us-)?ascii|^iso-?8859|^latin|^windows-(?:12|874)|^cp12|^koi8|^macintosh|^x-mac|^tis/i;

/**
 * Decodes text by its declared charset, else as UTF-8, in which JSON is written. An answer with bytes that are not of it
 * is rejected; in an error's sentence they become replacement characters.
 */
function createDecoder({ ok, headers, status }: Response): { decode(bytes: Uint8Array): string; end(): string } {
  const charset = readCharset(headers.get("content-type") ?? "");
  const unreadable = () =>
    new DecodeError(
      msg`the provider's answer is not written in its declared charset (${charset.slice(0, LONGEST_CHARSET)}); ask the provider`,
      { status },
    );
  const attempt = <T>(decode: () => T): T => {
    try {
      return decode();
    } catch {
      throw unreadable();
    }
  };
  const decoder = ok ? attempt(() => new TextDecoder(charset, { fatal: true })) : new TextDecoder();
  if (ok && SINGLE_BYTE.test(charset)) return collect(decoder);
  return {
    decode: (bytes) => attempt(() => decoder.decode(bytes, { stream: true })),
    end() {
      try {
        return decoder.decode();
      } catch {
        return ""; // an answer that ends within a letter was cut off, and is no JSON either
      }
    },
  };
}

/** Decodes the whole as UTF-8, and only if it is none by another decoder. */
function collect(decoder: TextDecoder) {
  const parts: Uint8Array[] = [];
  return {
    decode(bytes: Uint8Array) {
      parts.push(bytes);
      return "";
    },
    end() {
      const all = new Uint8Array(parts.reduce((sum, { byteLength }) => sum + byteLength, 0));
      let at = 0;
      for (const part of parts) {
        all.set(part, at);
        at += part.byteLength;
      }
      try {
        return new TextDecoder("utf-8", { fatal: true }).decode(all);
      } catch {
        // In one piece, Node 20 takes windows-1252 for ISO-8859-1.
        return decoder.decode(all, { stream: true }) + decoder.decode();
      }
    },
  };
}

const LONGEST_CHARSET = 40;

/** Whether a success has an error field (§2); its other fields would be blanks. */
function hasError(body: unknown): boolean {
  const { error } = Object(body) as { error?: unknown };
  return typeof error === "object" && error !== null;
}

function toMalformed(status: number, body: unknown): DecodeError {
  const { text, traceId } = readErrorBody(body);
  const said = text === "" ? "" : ` (${text})`;
  const facts = traceId === undefined ? { status } : { status, traceId };
  return new DecodeError(msg`the provider answered with an error in place of data${said}; refresh later`, facts);
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

/** Converts an error status to the error with its cure. */
export function toStatusError(status: number, facts: ErrorFacts): RequestError {
  const { said: text = "", retryAfterMs } = facts;
  const said = text === "" ? "" : ` (${text})`;
  const later = retryAfterMs ? toAgain(retryAfterMs) : msg`refresh later`;
  if (status === 401) {
    return new RequestError("FEED_UNAUTHORISED", msg`the provider refused the token${said}; connect again`, facts);
  }
  if (status === 403) {
    return new RequestError("FEED_SCOPE_MISSING", msg`this client may not read that${said}; ask the provider`, facts);
  }
  if (status === 404)
    return new RequestError("FEED_NOT_FOUND", msg`the provider has no such record${said}; check the id`, facts);
  if (status === 408) return new RequestError("FEED_TIMED_OUT", msg`the provider gave up${said}; ${later}`, facts);
  if (status === 429)
    return new RequestError("FEED_RATE_LIMITED", msg`too many requests${said}; ${toAgain(retryAfterMs)}`, facts);
  if (status >= 500) {
    return new RequestError("FEED_SERVER_FAILED", msg`the provider failed with ${status}${said}; ${later}`, facts);
  }
  return new RequestError(
    "FEED_REQUEST_INVALID",
    msg`the provider refused the request with ${status}${said}; ${text === "" ? msg`check the arguments` : msg`correct what it names`}`,
    facts,
  );
}

/** Describes when the session retries by itself, as after a rate limit. */
function toAgain(retryAfterMs = 0): Message {
  const seconds = Math.ceil(retryAfterMs / 1000);
  if (seconds === 0) return msg`it is requested again by itself in a moment`;
  if (seconds === 1) return msg`it is requested again by itself in 1 second`;
  if (seconds > 120) return msg`it is requested again by itself in ${Math.ceil(seconds / 60)} minutes`;
  return msg`it is requested again by itself in ${seconds} seconds`;
}

/** Reads an error's text: in the ranking family's shape (§7), OAuth's, or a plain message. */
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

/** Lists the mistakes of a refused set-up. */
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

/** Codes with which the companion refuses a request in the provider's place. */
const OF_REQUESTS = [
  "FEED_REQUEST_INVALID",
  "FEED_SCOPE_MISSING",
  "FEED_RATE_LIMITED",
  "FEED_SERVER_FAILED",
  "FEED_NETWORK_FAILED",
  "FEED_TIMED_OUT",
] as const;

/**
 * Converts a refusal of the companion itself; an unknown code still is a refusal.
 *
 * @param code its refusal header, which the relay takes from no provider
 */
function toRefusal(code: string, status: number, facts: ErrorFacts): FeedError {
  const refusalFacts: ErrorFacts = { ...facts, refusal: code };
  if (status === 401) return new SignerError("FEED_SIGNER_REFUSED", NOT_PAIRED, refusalFacts);
  if (code === "FEED_INTERNAL") return new InternalError(msg`the companion failed, and its log says why`, refusalFacts);
  const said = facts.said === undefined ? msg` with ${status}` : msg`: ${new Sentence(facts.said)}`;
  const known = OF_REQUESTS.find((each) => each === code);
  if (known !== undefined) return new RequestError(known, msg`the companion answered${said}`, refusalFacts);
  // A failure is no refusal.
  const text = status >= 500 ? msg`the companion could not answer${said}` : msg`the companion refused${said}`;
  return new SignerError("FEED_SIGNER_REFUSED", text, refusalFacts);
}

const NOT_PAIRED = msg`this page is not paired with the companion; enter the pairing code in the FEED pane`;

/** The charset that a content type declares, in quotes or not; UTF-8 in each of its spellings and where none is declared. */
export function readCharset(contentType: string): string {
  const [, charset = "utf-8"] = /charset\s*=\s*["']?([^\s;,"']+)/i.exec(contentType) ?? [];
  return /^utf-?8/i.test(charset) ? "utf-8" : charset;
}

/** Ends the current task, so that the page draws and takes input. */
type Pause = () => Promise<void>;

/** Characters of an answer that one task takes: a page of a list with all its fields has some millions. */
const CHARACTERS_A_TASK = 400_000;

/** Parses JSON, a long text in a task of its own; undefined for invalid text. */
export async function parseJson(text: string, pause: Pause): Promise<unknown> {
  if (text.length < CHARACTERS_A_TASK) return parse(text);
  await pause();
  const value = parse(text);
  await pause();
  return value;
}

function parse(text: string): unknown {
  const exact = MAY_OVERFLOW.test(text) ? undefined : parseExactly(text);
  return exact === undefined ? parseExactly(quoteOddNumbers(text)) : exact;
}

function parseExactly(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Finds numbers that JSON.parse may read as Infinity. */
const MAY_OVERFLOW = /\d[eE]\+?\d{3,}\s*[,\]}]|(?<!\d)\d{309}/;

const NUMBER = /^-?(NaN|Infinity|\d[\d.eE+-]*)$/;

/** Quotes NaN, Infinity and 1e400, so that each spoils its own cell instead of the whole answer. */
function quoteOddNumbers(text: string): string {
  let isInText = false;
  return text.replace(/\\.|"|[\w.+-]+/g, (token) => {
    if (token === '"') isInText = !isInText;
    return !isInText && NUMBER.test(token) && !Number.isFinite(Number(token)) ? `"${token}"` : token;
  });
}

/** Stands where a secret stood. */
const REDACTED = "…";

/** A UUID is shorter; an encoded token is longer. */
const LONGEST_WORD = 48;
const JWT = /[\w-]{8,}\.[\w-]{8,}/;

/**
 * Redacts a provider's JSON, since a cell shows its texts.
 *
 * @param body JSON of any shape, or undefined
 * @param secrets what the request carried; parts of 12 characters or more go as well, in any case and URL-encoding
 * @returns the same shape; JWTs and words above 48 characters are redacted too
 */
function redactBody(body: unknown, secrets: readonly string[]): unknown {
  if (body === undefined) return undefined;
  const known = secrets.map((secret) => secret.toLowerCase());
  const isSecret = (word: string) => {
    const bare = decodeWord(word)
      .toLowerCase()
      .replace(/^\W+|\W+$/g, "");
    return (
      word.length > LONGEST_WORD || JWT.test(word) || known.some((text) => text.includes(bare) || bare.includes(text))
    );
  };
  const redact = (_: string, value: unknown) => {
    if (typeof value !== "string") return value;
    const others = secrets.reduce((text, secret) => text.replaceAll(secret, REDACTED), value);
    return others.replace(/[!-~]{12,}/g, (word) => (isSecret(word) ? REDACTED : word));
  };
  return JSON.parse(JSON.stringify(body, redact));
}

function decodeWord(word: string): string {
  try {
    return decodeURIComponent(word);
  } catch {
    return word; // a "%" that encodes nothing
  }
}
