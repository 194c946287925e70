import { type Fault, inFile } from "../fault";

const shared = inFile("test/feed/registrations/shared-numbers.test.ts");
const resolving = inFile("test/feed/registrations/resolving.test.ts");

const RESOLVE = "src/feed/registrations/resolve.ts";

export const ROWS: readonly Fault[] = [
  {
    fault: "two countries share a registration number, and the index of one of them is on this computer",
    injected: "a provider of two countries, whose indexes are built by turns",
    seen: "`#VALUE!` `FEED_AMBIGUOUS` with both companies and their countries, on every computer and after every reload",
    tests: [
      shared("is ambiguous even if this computer has the index of %s alone"),
      shared("gives the same after each reload, whichever index exists then"),
      shared("lists the companies in the error of %s, each with its country"),
      shared("is found on any page of the search"),
      shared("is ambiguous for financials once records say so, until they no longer do"),
    ],
    guard: { file: RESOLVE, from: "naming.count === 1 ? naming.ids : []", to: "naming.ids" },
  },
  {
    fault: "a second company begins to share a number, or the number names another company",
    injected: "companies of the provider, a day later",
    seen: "`#VALUE!` `FEED_AMBIGUOUS` in place of the old value: which companies, or which one on which day",
    tests: [
      shared("is an error in the cell once two companies have it, at the refresh and after a reload"),
      shared("is an error in the cell once it names another company, and after a reload"),
    ],
    guard: {
      file: "src/feed/query-cache/cache.ts",
      from: " && !isAmbiguous(known.error)",
      to: "",
    },
  },
  {
    fault: "an answer by a number is on this computer that names another company by now",
    injected: "a reload after the number was found to be shared",
    seen: "`#VALUE!` `FEED_AMBIGUOUS`, never the answer of before",
    tests: [shared("is an error in the cell once it names another company, and after a reload")],
    guard: {
      file: "src/feed/query-cache/load.ts",
      from: "persistence?.isValid !== undefined",
      to: "false && persistence?.isValid !== undefined",
    },
  },
  {
    fault: "POST /financials gives no data for a number, and its total says that there is one",
    injected: "`data: []` with `total: 1`, or an answer cut through a company's years",
    seen: "the value, by the search over all countries; `#N/A` `FEED_RESPONSE_MALFORMED` where that finds nobody",
    tests: [
      resolving("comes from the search if financials %s"),
      resolving("if %s is the failure %4$s, for financials too"),
    ],
    guard: {
      file: RESOLVE,
      from: '(route === "financials" && error instanceof DecodeError)',
      to: "false",
    },
  },
  {
    fault: "the search for a number gives fewer companies than it counts",
    injected: "a total of two and one company",
    seen: "`#N/A` `FEED_RESPONSE_MALFORMED`: the company that is missing may have the number, too",
    tests: [resolving("is not taken from an incomplete search, which may hide a company")],
    guard: {
      file: RESOLVE,
      from: '(route === "financials" && error instanceof DecodeError)',
      to: "error instanceof DecodeError",
    },
  },
  {
    fault: "the client may not search all countries for a number",
    injected: "403 or 400 for the search",
    seen: "the value where POST /financials names one company, else the error that says so",
    tests: [
      resolving("comes from financials if the search over all countries %s"),
      resolving("is not guessed from one country if both routes fail"),
    ],
    guard: {
      file: RESOLVE,
      from: 'hasCode("FEED_NOT_FOUND", "FEED_SCOPE_MISSING", ',
      to: 'hasCode("FEED_NOT_FOUND", ',
    },
  },
];
