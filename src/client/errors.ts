import { Message, msg } from "./messages";

/** How a cell shows a code; `cures.ts` says what the user can do. */
interface ErrorRow {
  class: ErrorClass;
  cell: "#VALUE!" | "#N/A";
}

type ErrorClass =
  | "ArgumentError"
  | "SessionError"
  | "SignerError"
  | "TokenError"
  | "RequestError"
  | "DecodeError"
  | "NoValueError"
  | "InternalError";

/**
 * Every error there is. #VALUE! means that the user must change something, #N/A that there is no value.
 * The table of docs/formulas.md is checked against this one.
 */
export const ERRORS = {
  FEED_ARGUMENT_INVALID: row("ArgumentError", "#VALUE!"),
  FEED_NOT_CONNECTED: row("SessionError", "#N/A"),
  FEED_SIGNER_UNREACHABLE: row("SignerError", "#N/A"),
  FEED_SIGNER_REFUSED: row("SignerError", "#N/A"),
  FEED_TOKEN_REFUSED: row("TokenError", "#N/A"),
  FEED_TOKEN_MALFORMED: row("TokenError", "#N/A"),
  FEED_REQUEST_INVALID: row("RequestError", "#VALUE!"),
  FEED_UNAUTHORISED: row("RequestError", "#N/A"),
  FEED_SCOPE_MISSING: row("RequestError", "#N/A"),
  FEED_NOT_FOUND: row("RequestError", "#N/A"),
  FEED_RATE_LIMITED: row("RequestError", "#N/A"),
  FEED_SERVER_FAILED: row("RequestError", "#N/A"),
  FEED_NETWORK_FAILED: row("RequestError", "#N/A"),
  FEED_TIMED_OUT: row("RequestError", "#N/A"),
  FEED_RESPONSE_MALFORMED: row("DecodeError", "#N/A"),
  FEED_NO_VALUE: row("NoValueError", "#N/A"),
  FEED_AMBIGUOUS: row("NoValueError", "#VALUE!"),
  FEED_INDEX_NOT_READY: row("NoValueError", "#N/A"),
  FEED_CONFIRM_NEEDED: row("NoValueError", "#N/A"),
  FEED_RESULT_TOO_LARGE: row("NoValueError", "#VALUE!"),
  FEED_INTERNAL: row("InternalError", "#N/A"),
} as const satisfies Record<string, ErrorRow>;

export type FeedCode = keyof typeof ERRORS;

/** Facts about the answer behind an error. */
export interface ErrorFacts {
  /** HTTP status, where an answer came. */
  status?: number;
  /** The provider's id for support, where its error body had one (§7). */
  traceId?: string;
  /** The key of the assertion that the provider refused. */
  keyId?: string;
  /** The provider's own words. */
  said?: string;
  /** How long the provider asked to wait, in milliseconds. */
  retryAfterMs?: number;
  /** The companion's own refusal code, on any of its paths. */
  refusal?: string;
  /** All mistakes that the companion found in a set-up, one sentence each. */
  mistakes?: readonly string[];
  /** The name in a formula that means several companies or none, and the country where it was looked up. */
  named?: { name: string; country: string };
  /** The text that may have been meant by a name of no company: the closest company's, as the formula takes it. */
  closest?: string;
}

/** The base of every error: `code` says what happened, the class where in the journey, `message` what to do. */
export class FeedError extends Error {
  constructor(
    readonly code: FeedCode,
    /** `message` is its English. */
    readonly text: Message | string,
    readonly facts: ErrorFacts = {},
  ) {
    super(String(text));
    this.name = ERRORS[code].class;
  }

  /** The error value that a cell shows. */
  get cell(): "#VALUE!" | "#N/A" {
    return ERRORS[this.code].cell;
  }
}

/** Creates a check for errors with one of these codes. */
export const hasCode =
  (...codes: readonly FeedCode[]) =>
  (error: unknown): error is FeedError =>
    error instanceof FeedError && codes.includes(error.code);

type CodesOf<C extends ErrorClass> = {
  [K in FeedCode]: (typeof ERRORS)[K]["class"] extends C ? K : never;
}[FeedCode];

/** A cell's argument is invalid. */
export class ArgumentError extends FeedError {
  constructor(text: Message | string) {
    super("FEED_ARGUMENT_INVALID", text);
  }
}

/** There is no connection. */
export class SessionError extends FeedError {
  constructor(text: Message | string) {
    super("FEED_NOT_CONNECTED", text);
  }
}

/** The companion did not sign. */
export class SignerError extends FeedError {
  constructor(code: CodesOf<"SignerError">, text: Message | string, facts?: ErrorFacts) {
    super(code, text, facts);
  }
}

/** Whether the companion does not know this page; a pairing code solves that. */
export const needsPairing = (error: unknown): error is SignerError =>
  error instanceof SignerError && error.facts.refusal !== undefined && error.facts.status === 401;

/** The token endpoint did not give a usable token (§5.3). */
export class TokenError extends FeedError {
  constructor(code: CodesOf<"TokenError">, text: Message | string, facts?: ErrorFacts) {
    super(code, text, facts);
  }
}

/** A request did not bring an answer. */
export class RequestError extends FeedError {
  constructor(code: CodesOf<"RequestError">, text: Message | string, facts?: ErrorFacts) {
    super(code, text, facts);
  }
}

/** An answer came, but is not what the API document describes. */
export class DecodeError extends FeedError {
  constructor(text: Message | string, facts?: ErrorFacts) {
    super("FEED_RESPONSE_MALFORMED", text, facts);
  }
}

/** The answer is valid but holds no single value for this cell. */
export class NoValueError extends FeedError {
  constructor(code: CodesOf<"NoValueError">, text: Message | string, facts?: ErrorFacts) {
    super(code, text, facts);
  }
}

/** FEED for Excel itself failed: the error is unexpected. */
export class InternalError extends FeedError {
  constructor(thrown: unknown, facts?: ErrorFacts) {
    const reason =
      thrown instanceof Message ? thrown : toShort(thrown instanceof Error ? thrown.message : String(thrown));
    const text = msg`FEED for Excel failed on its own: ${reason}; copy the text for support in the pane and report it to us`;
    super("FEED_INTERNAL", text, facts);
  }
}

/** Redacts words as long as a token or an id, since a cell's text is saved with its workbook. */
const toShort = (text: string): string => text.replace(/[\w+/=.~-]{24,}/g, "…").slice(0, 100);

function row<C extends ErrorClass, V extends ErrorRow["cell"]>(className: C, cell: V) {
  return { class: className, cell };
}

export const COMPANION_DOWN = msg`the companion does not answer; start it, then connect in the FEED pane`;
