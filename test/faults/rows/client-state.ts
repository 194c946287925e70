import { type Fault, inFile } from "../fault";

const storage = inFile("test/faults/client-storage.test.ts");
const state = inFile("test/faults/client-state.test.ts");
const browser = inFile("test/e2e/storage.test.ts");

const DATABASE = "src/feed/database.ts";
const PAIRING = "src/client/auth/pairing-store.ts";

const STORAGE: readonly Fault[] = [
  {
    fault: "what the browser keeps is damaged",
    injected: "rows cut in IndexedDB, in Chromium too",
    seen: "values, asked for anew; the pane says so where nothing can be kept",
    tests: [
      storage("is refetched if it is damaged, with the right values"),
      browser("if every row is damaged"),
      { file: "test/taskpane/persisted-data.test.tsx", title: "is reported as none if %s, while values still come" },
    ],
    guard: {
      file: "src/feed/persisted-cache/rows.ts",
      from: "if (error instanceof SyntaxError) return null;",
      to: "if (error instanceof SyntaxError) return { value: text, asOfMs, sources, writtenAtMs };",
    },
  },
  {
    fault: "the browser blocks its storage",
    injected: "IndexedDB and localStorage that refuse to open",
    seen: "values; the pane says that the browser keeps nothing, why, and what helps",
    tests: [
      storage("if the browser blocks its storage"),
      { file: "test/taskpane/persisted-data.test.tsx", title: "is reported as none if %s, while values still come" },
      { file: "test/taskpane/pairing.test.tsx", title: "say that the browser stores nothing" },
    ],
    guard: { file: PAIRING, from: "? null : bearer;", to: "? null : null;" },
  },
  {
    fault: "the browser's storage is full",
    injected: "writes that are refused; a quota of one byte in Chromium",
    seen: "values, asked for anew by the next page; the pane says so, and what helps",
    tests: [
      {
        file: "test/feed/persisted-cache-faults.test.ts",
        title: "is retried a limited number of times if it refuses every write",
      },
      storage("if the browser's storage is full"),
      { file: "test/taskpane/persisted-data.test.tsx", title: "is reported as none if %s, while values still come" },
      browser("if the browser's storage is full"),
    ],
    guard: {
      file: "src/feed/persisted-cache/writing.ts",
      from: "=> refusals === MOST_REFUSALS;",
      to: "=> refusals === MOST_REFUSALS + 6;",
    },
  },
  {
    fault: "there is no storage",
    injected: "neither IndexedDB nor localStorage",
    seen: "values, from memory; the pane says so",
    tests: [
      storage("if there is no storage at all"),
      { file: "test/taskpane/persisted-data.test.tsx", title: "is reported as none if %s, while values still come" },
    ],
    guard: {
      file: "src/client/stored-text.ts",
      from: "return otherwise; // blocked",
      to: 'throw new Error("blocked"); // blocked',
    },
  },
  {
    fault: "an old schema of what is kept",
    injected: "a database of an older version",
    seen: "it is dropped, and values are asked for",
    tests: [
      storage("is dropped with its schema if that is older"),
      { file: "test/feed/persisted-cache-faults.test.ts", title: "is emptied if it is older" },
    ],
    guard: {
      file: DATABASE,
      from: "for (const store of [...database.objectStoreNames]) database.deleteObjectStore(store);",
      to: "",
    },
  },
];

const CELLS: readonly Fault[] = [
  {
    fault: "two windows",
    injected: "two pages at one companion, whose tokens are revoked while they refresh",
    seen: "values in both; one exchange and one renewal each",
    tests: [
      state("exchange and renew at most one token each"),
      {
        file: "test/e2e/reopen.test.ts",
        title: "shows every value in the first result when reopened in two windows, without a data request",
      },
    ],
    guard: { file: "src/client/auth/token.ts", from: "loading ??= load(", to: "loading = load(" },
  },
  {
    fault: "a workbook with 20,000 formulas opens",
    injected: "20,000 formulas typed at once",
    seen: "how many are still to come, then every value, by four requests and one token",
    tests: [state("shows its progress, and is answered by a few requests and one token")],
    guard: {
      file: "src/client/batch/planner.ts",
      from: "companiesAtOnce: DEFAULT_PAGE_SIZE,",
      to: "companiesAtOnce: 5,",
    },
  },
  {
    fault: "the user or the client changes",
    injected: "a companion with another client",
    seen: "what was kept is gone, and everything is asked for anew",
    tests: [
      {
        file: "test/session/session.test.ts",
        title: "clears answers and token when the client changed, and refetches live queries",
      },
      {
        file: "test/e2e/reopen.test.ts",
        title: "is refetched for another client, and the first one's answers are deleted",
      },
    ],
    guard: { file: "src/session/connecting.ts", from: "  feed.reset();\n  left();", to: "  left();" },
  },
  {
    fault: "the companion is started again while figures are on the way",
    injected: "its connections ended, and a new one on its port",
    seen: "values, asked for once more",
    tests: [state("answers them, since interrupted requests are retried")],
    guard: {
      file: "src/client/http/retry.ts",
      from: "isFailure(error) || isUnreachable(error);",
      to: "isFailure(error);",
    },
  },
  {
    fault: "arguments change quickly: A, B and A again",
    injected: "formulas typed over one another, answered in either order",
    seen: "the last one's value alone, by one request for each",
    tests: [
      state("shows the last value after A, B and A again, answered in the order %s"),
      {
        file: "test/functions/stream.test.ts",
        title: "ends with the last arguments' value in any order of calls, cancels and answers",
      },
      {
        file: "test/excel/bundle.test.ts",
        title: "shows the last arguments' value after A, B and A again, each cancelled %s the next call",
      },
    ],
    guard: { file: "src/feed/query-cache/cache.ts", from: "const GRACE_MS = 1_500;", to: "const GRACE_MS = 0;" },
  },
  {
    fault: "a cancel after the new call, a second cancel, a result after a cancel",
    injected: "in that order, while the answer is held back",
    seen: "nothing in the cell that is gone; the other one's value",
    tests: [
      state("shows nothing after its cancel, whether late, twice or before the answer"),
      { file: "test/excel/runtime.test.ts", title: "nothing set after the cancel, and runs onCanceled once" },
    ],
    guard: {
      file: "src/functions/stream.ts",
      from: "    this.#writer.end();\n    this.#observer?.stop();",
      to: "    this.#writer.end();",
    },
  },
  {
    fault: "midnight passes before a refresh of relative ranges",
    injected: "a clock that goes from 23:59:59 to the next day; a plain provider that counts",
    seen: "the values of today's range, by one request for each; none for yesterday's",
    tests: [
      {
        file: "test/functions/midnight.test.ts",
        title: "fetches today's range alone, not yesterday's again",
      },
    ],
    guard: {
      file: "src/feed/query-cache/refresh.ts",
      from: "if (observed.subscribers.size === 0) observed.close();",
      to: ";",
    },
  },
];

export const ROWS: readonly Fault[] = [...STORAGE, ...CELLS];
