import { type Fault, inFile } from "../fault";

const readings = inFile("test/companion/shared/list-readings.test.ts");
const refreshes = inFile("test/session/firm-refresh.test.ts");
const sharedRefresh = inFile("test/companion/shared/refresh.test.ts");
const movingLists = inFile("test/session/firm-lists.test.ts");

const LISTS: readonly Fault[] = [
  {
    fault: "the provider's list moves, and the firm has cached some of its pages",
    injected:
      "a list of 4,000 rows that moves between two people's readings, at one instance and at two on a genuine Redis",
    seen: "rows of one reading, all of one age; else each page is the provider's",
    tests: [
      readings("has no page of another reading: its reader gets a mark, and starts a new reading"),
      readings("gets each page from the provider, for any reading of others"),
      readings("is cached and served whole, with the age of its first page"),
      readings("is shared: either continues and serves what the other began"),
      inFile("test/companion/shared/moving-lists.test.ts")("has each row once and in order, in %s"),
    ],
    guard: {
      file: "src/companion/reads/shared/readings.ts",
      from: "lastMs >= sinceMs && nowMs() - lastMs <= PAUSE_MS &&",
      to: "",
    },
  },
  {
    fault: "somebody wants all of a list of which another has just read the first page alone",
    injected: "a list of 4,000 rows that moves between the two, a second apart",
    seen: "rows of one moment, read anew",
    tests: [readings("is not continued for a reader after one that stopped at the first pages")],
    guard: { file: "src/companion/reads/shared/readings.ts", from: "lastMs >= sinceMs && ", to: "" },
  },
  {
    fault: "the firm has the first page of a list from an earlier moment, and somebody wants all of it",
    injected:
      "a ranking of 4,000 companies that moves, or whose figures change, nine minutes after its first page was read",
    seen: "each company once and in its place, with figures of one moment",
    tests: [
      movingLists("shows the values of one reading when every company has its old rank"),
      movingLists("shows each company once and in order to a reader of more pages"),
      movingLists("shows every reader the same reading and its age until someone refreshes"),
    ],
    guard: {
      file: "src/feed/pages.ts",
      from: "reading.id !== undefined && reply.reading !== reading.id",
      to: "false",
    },
  },
];

const REFRESHES: readonly Fault[] = [
  {
    fault: "the provider lacks a company for a moment, and a person refreshes",
    injected: "404 once, then the company; two instances on a genuine Redis",
    seen: "the value: a refresh reaches the provider through the firm's cache",
    tests: [
      refreshes("finds a company that did not exist a moment ago"),
      refreshes("fetches each query from the provider once and shows the new values"),
      sharedRefresh("is never answered by a cached absence: of a company, an element, a list"),
      sharedRefresh("finds a company even if the other instance just cached its absence"),
      sharedRefresh("is fresh for the other's readers too, and one request if both refresh"),
    ],
    guard: {
      file: "src/companion/reads/shared/age-limit.ts",
      from: 'if (directives.includes("no-cache")) return { maxAgeMs: 0 };',
      to: "",
    },
  },
  {
    fault: "a person refreshes before the firm's policy lets the provider be asked again",
    injected: "a refresh of answers that are younger than `FEED_REFRESH_SECONDS`",
    seen: "from when the answers are and when newer ones can come; only what was asked again counts as that",
    tests: [
      refreshes("reports the age of the firm's answers and when newer ones are possible"),
      inFile("test/taskpane/refreshed.test.ts")(
        "counts refetched queries, and gives the age of cached ones and the time of newer ones",
      ),
    ],
    guard: {
      file: "src/companion/reads/shared-reads.ts",
      from: "newerAtMs: isHeld ? answer.asOfMs + Math.min(freshMs, refreshMs) : undefined",
      to: "newerAtMs: undefined",
    },
  },
];

export const ROWS: readonly Fault[] = [...LISTS, ...REFRESHES];
