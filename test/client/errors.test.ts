import { describe, expect, it } from "@jest/globals";
import {
  ArgumentError,
  DecodeError,
  ERRORS,
  FeedError,
  InternalError,
  NoValueError,
  RequestError,
  SessionError,
  SignerError,
  TokenError,
} from "../../src/client/errors";

const EACH = [
  new ArgumentError(""),
  new SessionError(""),
  new SignerError("FEED_SIGNER_REFUSED", ""),
  new TokenError("FEED_TOKEN_REFUSED", ""),
  new RequestError("FEED_NOT_FOUND", ""),
  new DecodeError(""),
  new NoValueError("FEED_NO_VALUE", ""),
  new InternalError(""),
];

describe("an error", () => {
  it.each(EACH.map((error) => [error.name, error] as const))(
    "%s has the class that the table gives its code",
    (name, error) => {
      expect(error).toBeInstanceOf(FeedError);
      expect(error.constructor.name).toBe(name);
      expect(ERRORS[error.code].class).toBe(name);
      expect(error.cell).toBe(ERRORS[error.code].cell);
    },
  );

  it("keeps the facts of its answer", () => {
    const facts = { status: 429, traceId: "t-1", retryAfterMs: 5 };
    expect(new RequestError("FEED_RATE_LIMITED", "wait", facts)).toMatchObject({ message: "wait", facts });
  });

  it("is #VALUE! exactly if the user must change something", () => {
    const codes = Object.entries(ERRORS).flatMap(([code, { cell }]) => (cell === "#VALUE!" ? [code] : []));
    expect(codes).toEqual(["FEED_ARGUMENT_INVALID", "FEED_REQUEST_INVALID", "FEED_AMBIGUOUS", "FEED_RESULT_TOO_LARGE"]);
  });
});
