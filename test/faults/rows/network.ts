import { type Fault, inFile } from "../fault";

const answers = inFile("test/faults/network-answers.test.ts");
const cells = inFile("test/faults/network-cells.test.ts");
const pauses = inFile("test/faults/network-pauses.test.ts");
const pane = inFile("test/taskpane/paused.test.tsx");
const outage = inFile("test/session/outage.test.ts");
const watch = inFile("test/feed/query-cache.test.ts");

const FAILING = "that %s gets three attempts, then the cell says so; after a single failure the value comes";
const SLOW = "that %s gets a hedging request after 15 seconds, and at 30 the cell says so";
const PAUSING = "with Retry-After %s pause, all of them and no other family, then show their values";

const RETRY = "src/client/http/retry.ts";
const HEALTH = "src/client/http/circuit-breaker.ts";
const REPLY = "src/client/http/response.ts";
const HTTP = "src/client/http.ts";
const CACHE = "src/feed/query-cache/cache.ts";

const PAUSES: readonly Fault[] = [
  {
    fault: "429 with Retry-After in seconds",
    injected: "once, 20",
    seen: "nothing more of that family goes out; the pane counts down; then values by themselves",
    tests: [
      pauses(PAUSING),
      pane("is shown with its data family, and counted down each second until values come"),
      inFile("test/client/http.test.ts")("waits as many seconds as Retry-After says"),
    ],
    guard: {
      file: HEALTH,
      from: "retryAfterMs = error.facts.retryAfterMs;",
      to: "retryAfterMs = undefined as number | undefined;",
    },
  },
  {
    fault: "429 with Retry-After as a date",
    injected: "once, 20 seconds ahead of the provider's clock",
    seen: "nothing more of that family goes out; the pane counts down; then values by themselves",
    tests: [
      pauses(PAUSING),
      inFile("test/client/http.test.ts")("waits until the date of Retry-After, by the server's clock"),
    ],
    guard: { file: RETRY, from: "Date.parse(header)", to: "Number(header)" },
  },
  {
    fault: "429 without Retry-After",
    injected: "once",
    seen: "a short pause of that family, then values",
    tests: [pauses("without Retry-After pause for a moment, then show their values")],
    guard: { file: HEALTH, from: "Math.max(retryAfterMs ?? 0, leastMs)", to: "(retryAfterMs ?? 0)" },
  },
  {
    fault: "429 with Retry-After 3600",
    injected: "once",
    seen: "`#N/A` `FEED_RATE_LIMITED` with the time, no request for an hour, then values by themselves",
    tests: [pauses("with Retry-After 3600 pause for an hour and say so, then show their values")],
    guard: { file: RETRY, from: "LONGEST_ASKED_PAUSE_MS = 3_600_000", to: "LONGEST_ASKED_PAUSE_MS = 60_000" },
  },
  {
    fault: "503 in a burst",
    injected: "503 to all reads of a family",
    seen: "stale values stay; after six failures nothing goes out, then one request alone; the pane says so; when it is answered, all",
    tests: [
      pauses("keep their values, stop requests, then probe one by one, and resume when one is answered"),
      pane("says that cells keep their values, and can be ended by a person"),
    ],
    guard: { file: HEALTH, from: "BREAKING_FAILURES = 6;", to: "BREAKING_FAILURES = 600;" },
  },
  {
    fault: "an outage that is too short for a pause, in one family of several",
    injected: "503, or no answer, to a few reads of a plain provider; then answers",
    seen: "every value by itself, by one request each, after a probe; the pane counts questions and cells; what is refused is left alone",
    tests: [
      outage("a family with too few failures for a pause recovers by one request a query"),
      outage("one query probes at growing intervals; the others follow once it is answered"),
      outage("a query that fails while others succeed is refetched once"),
      outage("a query is not refetched after %s"),
      pane("shows the number of cells without a value"),
    ],
    guard: { file: "src/client/http/families.ts", from: "entry.failed = error.code;", to: "entry.failed = null;" },
  },
  {
    fault: "no network for a while",
    injected: "the browser says so and requests fail; Chromium offline",
    seen: "values stay, the pane says since when; what failed is asked again when it is back",
    tests: [
      cells("keep them offline, and refetch failed ones automatically afterwards"),
      inFile("test/e2e/offline.test.ts")("opens offline with every value, shows since when, and updates once online"),
    ],
    guard: {
      file: "src/session/recovering.ts",
      from: "const isOffline = !ports.network.isThere();",
      to: "const isOffline = false;",
    },
  },
];

const ANSWERS: readonly Fault[] = [
  {
    fault: "the connection is reset in the middle of a body",
    injected: "a TCP reset, directly and through the companion",
    seen: "after three tries `#N/A` `FEED_NETWORK_FAILED`; after one the value",
    tests: [answers(FAILING)],
    guard: {
      file: REPLY,
      from: 'throw new RequestError("FEED_NETWORK_FAILED", msg`the connection broke during the answer; refresh`);',
      to: "throw error;",
    },
  },
  {
    fault: "a packed body or JSON is cut off",
    injected: "half a gzip; half a JSON; both directly and through the companion",
    seen: "after three tries `#N/A` `FEED_NETWORK_FAILED`; after one the value",
    tests: [answers(FAILING)],
    guard: { file: REPLY, from: "if (body === undefined) {", to: "if (false) {" },
  },
  {
    fault: "200 with HTML, as of a captive portal",
    injected: "a sign-in page, directly and through the companion",
    seen: "after three tries `#N/A` `FEED_NETWORK_FAILED`; after one the value",
    tests: [answers(FAILING)],
    guard: { file: RETRY, from: '"FEED_NETWORK_FAILED", ', to: "" },
  },
  {
    fault: "a redirect to a sign-in page",
    injected: "302, directly and through the companion",
    seen: "`#N/A`; it is not followed",
    tests: [
      answers(FAILING),
      inFile("test/companion/relay.test.ts")("does not follow a %i, and reports it"),
      inFile("test/client/provider.test.ts")("sends the bearer, follows no redirect and carries no cookie"),
    ],
    guard: { file: HTTP, from: 'redirect: "manual"', to: 'redirect: "follow"' },
  },
  {
    fault: "one byte a second",
    injected: "a body that drips",
    seen: "a second request beside it after 15 seconds, `#N/A` `FEED_TIMED_OUT` at 30",
    tests: [
      answers(SLOW),
      inFile("test/companion/relay-limits.test.ts")("gives up an answer that trickles beyond the total time"),
    ],
    guard: { file: HTTP, from: "|| !wire.hedges.take()", to: "|| true" },
  },
  {
    fault: "no answer, ever",
    injected: "a provider that stays silent",
    seen: "a second request beside it after 15 seconds, `#N/A` `FEED_TIMED_OUT` at 30",
    tests: [
      answers(SLOW),
      inFile("test/client/http.test.ts")("(%s) is hedged after 15 seconds, and both attempts end at 30"),
      inFile("test/companion/relay.test.ts")("answers 504 when the provider stays silent"),
    ],
    guard: { file: HTTP, from: "ALONE_SHARE = 0.5;", to: "ALONE_SHARE = 5;" },
  },
  {
    fault: "answers that take 15 to 30 seconds",
    injected: "each answer after 16, 20 or 28 seconds; a first request that gets none",
    seen: "the values; of two requests whichever is answered first",
    tests: [
      inFile("test/faults/slow-answers.test.ts")("that take %s seconds are shown when they come"),
      inFile("test/client/http/hedge.test.ts")("after %d seconds is the value, and the hedging request is cancelled"),
      inFile("test/client/http/hedge.test.ts")("gets one request in ten more, not twice as many"),
    ],
    guard: {
      file: "src/client/http/hedge.ts",
      from: "const callOff = after(aloneForMs, () => {",
      to: "const callOff = after(aloneForMs, () => {\n      own.abort(NEEDLESS);",
    },
  },
  {
    fault: "one slow call of six",
    injected: "one answer held back",
    seen: "the values of the five others at once",
    tests: [
      answers("that is slow with one call of six answers the others"),
      inFile("test/client/http.test.ts")("waits for one of five slots; slow requests do not block the others"),
    ],
    guard: { file: "src/feed/feed.ts", from: "DATA_AT_ONCE = 5;", to: "DATA_AT_ONCE = 1;" },
  },
  {
    fault: "more is asked of a slow provider than it can answer in 30 seconds",
    injected: "1,000 companies, 6 seconds for each answer",
    seen: "`#N/A` `FEED_TIMED_OUT` at 30 seconds, then every value, by 40 requests",
    tests: [
      inFile("test/client/http/long-queue.test.ts")(
        "all get their values in the usual number of requests, though the last wait 42 seconds",
      ),
    ],
    guard: {
      file: "src/client/http.ts",
      from: "deadline.awaitSlot(limit.acquire(",
      to: "deadline.race(limit.acquire(",
    },
  },
];

const CELLS: readonly Fault[] = [
  {
    fault: "a cell is deleted while its answer is on its way",
    injected: "the last cell that wanted it, deleted; the answer held back",
    seen: "the request is ended, and nothing is written",
    tests: [
      watch("is cancelled after a moment when its last subscriber leaves, not when one of two does"),
      cells("cancels the request if it was the last subscriber, and gets no value"),
      inFile("test/e2e/playground-streams.test.ts")(
        "requests no further page once its cell is deleted, and cancels the pending one",
      ),
    ],
    guard: {
      file: CACHE,
      from: "observed.subscribers.size === 0 && observed.close()",
      to: "observed.subscribers.size < 0 && observed.close()",
    },
  },
  {
    fault: "a cell is deleted while others want the same answer",
    injected: "ten of 20 cells deleted, some the last for their company; the answer held back",
    seen: "the others' values by the same request, nothing in the deleted ones",
    tests: [cells("leaves the request to its other subscribers, and gets no value")],
    guard: { file: "src/feed/financials/batch.ts", from: "--left === 0 && controller.abort", to: "controller.abort" },
  },
  {
    fault: "F9 twenty times",
    injected: "every formula run anew, as hosts do it; F9 and Ctrl+Alt+F9 in a browser",
    seen: "the same values, no request",
    tests: [
      cells("send nothing when F9 reruns their formulas twenty times"),
      inFile("test/e2e/refresh.test.ts")("sends no request: F9, and Ctrl+Alt+F9, which reruns every formula"),
    ],
    guard: {
      file: "src/feed/query-cache/query-client.ts",
      from: "staleTime: Number.POSITIVE_INFINITY",
      to: "staleTime: 0",
    },
  },
  {
    fault: "the computer sleeps and wakes",
    injected: "a clock that jumps past a refresh that was due",
    seen: "one token, then one refresh after a pause left to chance, of which the pane says when",
    tests: [
      inFile("test/session/waking.test.ts")(
        "announces its refresh, then exchanges one token and refreshes everything once",
      ),
    ],
    guard: {
      file: "src/session/schedule.ts",
      from: "if (Math.max(atMs, context.putOffUntilMs) < lateMs) {",
      to: "if (false) {",
    },
  },
];

export const ROWS: readonly Fault[] = [...PAUSES, ...ANSWERS, ...CELLS];
