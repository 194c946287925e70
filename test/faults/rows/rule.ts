import { type Fault, inFile } from "../fault";

const rule = inFile("test/faults/rule.test.ts");
const pauses = inFile("test/faults/network-pauses.test.ts");

export const ROWS: readonly Fault[] = [
  {
    fault: "a refresh fails for a while",
    injected: "503 to all that a refresh asks; 403 and 500 in a browser",
    seen: "the last good value; the pane says that it is that, and why",
    tests: [
      pauses("keep their values, stop requests, then probe one by one, and resume when one is answered"),
      inFile("test/e2e/taskpane.test.ts")("keeps its value when its refresh fails, with the reason and the remedy"),
      inFile("test/e2e/refresh.test.ts")("that fails keeps the values, and says so"),
    ],
    guard: {
      file: "src/feed/query-cache/cache.ts",
      from: 'known.status !== "error" || known.data.isComplete',
      to: 'known.status !== "error"',
    },
  },
  {
    fault: "an argument is wrong",
    injected: "a bad value for each argument of each formula",
    seen: "`#VALUE!` `FEED_ARGUMENT_INVALID` with what is accepted",
    tests: [
      inFile("test/functions/bad-arguments.test.ts")(
        "of FEED.%s as %s gives an error that names it and what is accepted",
      ),
      inFile("test/e2e/playground-inputs.test.ts")("shows the reason and the remedy: %s"),
    ],
    guard: { file: "src/functions/cells.ts", from: 'cell === "#VALUE!" ?', to: "false ?" },
  },
  {
    fault: "an answer takes more than 30 seconds",
    injected: "a provider that never answers, asked by every formula",
    seen: "`#N/A` `FEED_TIMED_OUT` at 30 seconds, and the value once it comes",
    tests: [
      inFile("test/functions/stream.test.ts")(
        "reports a missing answer after 30 s, whatever the number of requests, and shows a later one",
      ),
      rule("says so after 30 seconds, whichever formula it is, and shows its value once there is one"),
    ],
    guard: {
      file: "src/session/session.ts",
      from: "const CELL_DEADLINE_MS = 30_000;",
      to: "const CELL_DEADLINE_MS = 3_000_000;",
    },
  },
  {
    fault: "requests fail in every way at once",
    injected: "500 random schedules of refused, cut, foreign, short, doubled and mixed-up answers",
    seen: "the truth or why there is none, at any time; at last the truth",
    tests: [
      inFile("test/faults/schedules.test.ts")(
        "show nothing but the truth, all of it in the end: 50 schedules of seed %i",
      ),
    ],
    guard: { file: "src/client/ids.ts", from: "throw new DecodeError", to: "void new DecodeError" },
  },
];
