import { type Fault, inFile } from "../fault";

const token = inFile("test/faults/token.test.ts");
const feed = inFile("test/client/auth/token.test.ts");
const renewal = inFile("test/client/auth/token-renewal.test.ts");

const TOKEN = "src/client/auth/token.ts";
const REPLY = "src/client/http/response.ts";
const RENEWED_BY = {
  file: "src/client/provider.ts",
  from: 'if (!(error instanceof RequestError) || error.code !== "FEED_UNAUTHORISED") throw error;',
  to: "throw error;",
};

const ENDPOINT: readonly Fault[] = [
  {
    fault: "the token endpoint fails with 5xx",
    injected: "503 for ever; 500 twice",
    seen: "after three tries `#N/A` `FEED_SERVER_FAILED`; the value when one of them is answered",
    tests: [
      token("that always fails with 503 gets three attempts, and the cell says so"),
      token("that fails with 500 twice still yields the value"),
      feed("is requested with a fresh assertion at each attempt"),
    ],
    guard: { file: "src/client/http/retry.ts", from: "MAX_ATTEMPTS = 3;", to: "MAX_ATTEMPTS = 1;" },
  },
  {
    fault: "the token endpoint asks to wait",
    injected: "429 with Retry-After 3600 to the first exchange",
    seen: "`#N/A` `FEED_RATE_LIMITED` with the minutes; the pause in the pane, one exchange after it, then the values",
    tests: [
      inFile("test/session/token-pauses.test.ts")(
        "receives one request when it demands a pause, for any number of cells, and one after it",
      ),
    ],
    guard: { file: TOKEN, from: 'server: "credentials", ', to: "" },
  },
  {
    fault: "the token endpoint answers with HTML",
    injected: "a sign-in page with 200",
    seen: "`#N/A` `FEED_NETWORK_FAILED`",
    tests: [token("that answers with HTML is a network failure, and the cell says so")],
    guard: { file: REPLY, from: "if (body === undefined) {", to: "if (false) {" },
  },
  {
    fault: "the token's answer has no access_token",
    injected: "the field left out",
    seen: "after two exchanges `#N/A` `FEED_TOKEN_MALFORMED`",
    tests: [
      token("that answers %s gets one more exchange, and the cell says so"),
      inFile("test/companion/exchange.test.ts")("gives no token for %j"),
    ],
    guard: { file: TOKEN, from: 'typeof token !== "string" ||', to: "token === 7 &&" },
  },
  {
    fault: "the token has ended when it comes",
    injected: "expires_in 0 and −1",
    seen: "after two exchanges `#N/A` `FEED_TOKEN_MALFORMED`",
    tests: [
      token("that answers %s gets one more exchange, and the cell says so"),
      feed("is FEED_TOKEN_MALFORMED after one more exchange if it comes %s"),
    ],
    guard: { file: TOKEN, from: "if (nowMs < renewAtMs) return", to: "if (lifetimeMs < 1e12) return" },
  },
  {
    fault: "the token's lifetime is a text",
    injected: 'expires_in "300"',
    seen: "the value",
    tests: [
      token('that answers with expires_in "300" is believed, and the cell shows the value'),
      renewal("with expires_in %p is renewed after %p seconds, counted from the request"),
    ],
    guard: {
      file: TOKEN,
      from: "Math.min(Number(said),",
      to: 'Math.min(typeof said === "string" ? 0 : Number(said),',
    },
  },
  {
    fault: "the token's lifetime is beyond belief",
    injected: "expires_in 1e12",
    seen: "the value; a new token after an hour",
    tests: [
      token("that answers with expires_in 1e12 is believed for an hour, and the cells show their values"),
      inFile("test/companion/relay-token.test.ts")("with %j seconds is renewed from second %d on, and not before"),
    ],
    guard: { file: TOKEN, from: "Math.min(Number(said), LONGEST_LIFETIME_SECONDS)", to: "Number(said)" },
  },
  {
    fault: "the token is slow while 2,000 cells wait",
    injected: "an exchange that is held back",
    seen: "all values, by one exchange",
    tests: [
      token("that is slow while 2,000 cells wait gets one request, and all show their values"),
      feed("is exchanged once when 500 cells need it at the same time"),
    ],
    guard: { file: TOKEN, from: "loading ??= load(", to: "loading = load(" },
  },
];

const USE: readonly Fault[] = [
  {
    fault: "the token ends between check and use",
    injected: "tokens revoked at the provider, which answers 401",
    seen: "the value, after one renewal",
    tests: [
      token("that expires between check and use is renewed once, and the cell shows its value"),
      inFile("test/journeys/credentials.test.ts")(
        "are renewed by the companion when the provider refuses its token, and the read succeeds",
      ),
    ],
    guard: RENEWED_BY,
  },
  {
    fault: "many requests get 401 at once",
    injected: "tokens revoked under 20 requests",
    seen: "all values, after one renewal",
    tests: [
      token("that many requests see refused at once is renewed once, and all cells show their values"),
      renewal("is renewed once when it is revoked under many requests, and all get their values"),
    ],
    guard: { file: TOKEN, from: "if (current === refused) {", to: "if (true) {" },
  },
  {
    fault: "every token is refused, for ever",
    injected: "401 to all reads",
    seen: "after two tries `#N/A` `FEED_UNAUTHORISED`, and no loop",
    tests: [
      renewal("that is always refused ends after two attempts of each request, without a storm of exchanges"),
      token("that is always refused is tried twice, and the cell says so"),
    ],
    guard: {
      file: TOKEN,
      from: "pausedUntilMs = nowMs() + pauseMs;",
      to: "pausedUntilMs = 0;",
    },
  },
  {
    fault: "the token ends in the middle of a refresh",
    injected: "tokens revoked when the first request of a refresh comes",
    seen: "the new values and nothing of it",
    tests: [token("that expires in the middle of a refresh is renewed, invisibly to every cell")],
    guard: RENEWED_BY,
  },
  {
    fault: "403 for one family of data",
    injected: "a client without the scopes of taxonomies",
    seen: "`#N/A` `FEED_SCOPE_MISSING` in its cells, values in all others",
    tests: [
      token("that may not read one family is refused in its cells alone"),
      feed("that one family refuses with 403 keeps serving the others"),
    ],
    guard: { file: REPLY, from: "if (status === 403) {", to: "if (status === 999) {" },
  },
  {
    fault: "403 for one country",
    injected: "403 to every request with a company of it, also among others",
    seen: "`#N/A` `FEED_SCOPE_MISSING` in its cells, values in all others",
    tests: [token("that may not read one country is refused in its cells alone")],
    guard: {
      file: "src/client/batch/planner.ts",
      from: ', "FEED_SCOPE_MISSING");',
      to: ");",
    },
  },
];

export const ROWS: readonly Fault[] = [...ENDPOINT, ...USE];
