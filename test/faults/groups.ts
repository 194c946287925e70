import AGENTS from "./rows/agents.json";
import CLIENT_STATE from "./rows/client-state.json";
import COMPANION_API from "./rows/companion-api.json";
import DATA from "./rows/data.json";
import FIRM from "./rows/firm.json";
import HOST from "./rows/host.json";
import NETWORK from "./rows/network.json";
import REGISTRATIONS from "./rows/registrations.json";
import RULE from "./rows/rule.json";
import SIGNING from "./rows/signing.json";
import TOKEN from "./rows/token.json";
import WORKBOOK from "./rows/workbook.json";

/** A fault, with the tests that prove it harmless: a row of `rows/*.json`. */
export interface Fault {
  /** The fault, in a person's words. */
  fault: string;
  /** How the tests cause it, in a few words. */
  injected: string;
  /** The visible effect in a cell or the pane. */
  seen: string;
  /**
   * Each is a test, or all tests of a table: its file from the project's root, " › ", and a part of its title as in the
   * source, `%s` and the like included. The first one needs neither a browser nor a built program; it fails without the
   * guard.
   */
  tests: readonly string[];
  /** The code that prevents the fault, and the change that removes it, as `removeGuard` reads it. */
  guard: string;
}

/** A test that a row names. */
export interface TestOf {
  file: string;
  title: string;
}

/** Reads the name of a test in a row. */
export function readTest(name: string): TestOf {
  const [file = "", ...title] = name.split(" › ");
  return { file, title: title.join(" › ") };
}

export interface Group {
  title: string;
  rows: readonly Fault[];
  /** Where the rows are told, if not in docs/reliability.md: a sentence with a link. */
  elsewhere?: string;
}

/** Every fault with a test, in the groups of docs/reliability.md. */
export const GROUPS: readonly Group[] = [
  { title: "Whatever goes wrong", rows: RULE },
  { title: "Signing and the companion", rows: SIGNING },
  { title: "The token", rows: TOKEN },
  { title: "The network", rows: NETWORK },
  { title: "Data", rows: DATA },
  {
    title: "Registration numbers",
    rows: REGISTRATIONS,
    elsewhere:
      "A number that several companies have is `FEED_AMBIGUOUS`: [how it is resolved](../src/contract/README.md#asking).",
  },
  { title: "What the browser keeps, and cells that come and go", rows: CLIENT_STATE },
  {
    title: "The companion's own door",
    rows: COMPANION_API,
    elsewhere: "[Threats](../src/companion/THREATS.md) has what other pages, programs and requests are refused.",
  },
  {
    title: "Kinds of Excel",
    rows: HOST,
    elsewhere:
      "[Which Excel](install.md#which-excel) says what each shows, [kinds of Excel](../test/hosts/README.md) its sources.",
  },
  {
    title: "Workbooks without Excel",
    rows: WORKBOOK,
    elsewhere: "[What stays as it is](refresh.md#what-stays-as-it-is).",
  },
  {
    title: "Assistants",
    rows: AGENTS,
    elsewhere: "[Their threats](../src/firm/THREATS.md).",
  },
  {
    title: "A firm of several instances",
    rows: FIRM,
    elsewhere:
      "[FEED for a firm](firm.md) says what holds there, [its threats](../src/firm/THREATS.md) what cannot happen. No cell is wrong or fails. " +
      "Longest waits in seconds: killed 10, stopped 20, updated 11, both working 9, Redis 7, clock 6; provider failing 25, hanging 50.",
  },
];

/** Matches the full names of a title's tests; placeholders match anything. */
export function toPattern(title: TestOf["title"]): string {
  const parts = title.split(/%[a-z#]|\$\{[^}]*\}|\$\w+/);
  return parts.map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join(".*");
}
