import { type Fault, inFile } from "../fault";

const lists = inFile("test/faults/data-lists.test.ts");
const whole = inFile("test/feed/pages/whole.test.ts");
const moving = inFile("test/faults/data-moving-lists.test.ts");
const figures = inFile("test/faults/data-figures.test.ts");

const PLANNER = "src/client/batch/planner.ts";
const LOAD = "src/feed/pages/load.ts";
const WAYS = "src/feed/pages/load.ts";
const ACCUMULATOR = "src/feed/pages/accumulator.ts";
const VERDICT = "src/feed/pages/accumulator.ts";

const SEVERAL: readonly Fault[] = [
  {
    fault: "POST /financials returns fewer than asked, and its total says more",
    injected: "pages of ten from the provider",
    seen: "every value, after splitting",
    tests: [figures("is completed by splitting if POST /financials answers fewer than requested, with the true total")],
    guard: {
      file: PLANNER,
      from: "if (unknown.has(toUnknownKey(key, year))) outcomes.set",
      to: "outcomes.set",
    },
  },
  {
    fault: "POST /financials leaves ids out, and its total says that they are all",
    injected: "the first seven from the provider; then only ever one",
    seen: "every value, after splitting; at last read one by one",
    tests: [
      figures("is read one by one if it never answers several"),
      figures("is completed by splitting if it answers the first few and its total claims they are all"),
    ],
    guard: { file: PLANNER, from: "toGroups(doubtful, came || 1)", to: "toGroups(doubtful, ids.length)" },
  },
  {
    fault: "one bad id in 100",
    injected: "an id that the provider leaves out, or refuses all for with 404 or 400",
    seen: "`#N/A` `FEED_NOT_FOUND` in its cell, values in all others",
    tests: [
      figures("has every value but one if one id among many is %s"),
      { file: "test/feed/financials/batch.test.ts", title: "with one id in 100 that is %s has 99 values" },
    ],
    guard: { file: PLANNER, from: '"FEED_NOT_FOUND", "FEED_SCOPE', to: '"FEED_SCOPE' },
  },
  {
    fault: "one company of many that the provider fails for",
    injected: "500 for each request that has its id",
    seen: "`#N/A` `FEED_SERVER_FAILED` in its cell, values in all others",
    tests: [{ file: "test/feed/financials/one-failing.test.ts", title: "does not fail the others in its batch" }],
    guard: { file: PLANNER, from: "error.facts.status === 500 || ", to: "" },
  },
];

const LISTS: readonly Fault[] = [
  {
    fault: "a list ignores page",
    injected: "the first page whatever is asked",
    seen: "`#N/A` `FEED_RESPONSE_MALFORMED`: the same rows for every page; 4 requests at most",
    tests: [lists("is flagged, without an endless loop, if its provider ignores page")],
    guard: { file: ACCUMULATOR, from: "keys.length === 0 || isRepeated(state, keys)", to: "keys.length === 0" },
  },
  {
    fault: "total is smaller than the list, or that of each page",
    injected: "totals changed by the provider",
    seen: "all rows",
    tests: [lists("is complete if its total is %s"), lists("is complete if its total is that of each page")],
    guard: { file: ACCUMULATOR, from: "readTotal(state) ?? rows.length);", to: "state.total ?? rows.length);" },
  },
  {
    fault: "total is larger than the list",
    injected: "a total with 50 more",
    seen: "`#N/A` `FEED_RESPONSE_MALFORMED`: how many were announced, and how many came",
    tests: [lists("is flagged if its total announces more rows than come")],
    guard: { file: VERDICT, from: 'if (rows.length < expected) return isLooping ? "looping" : "short";', to: "" },
  },
  {
    fault: "page_size is capped",
    injected: "30 rows a page at most",
    seen: "all rows, in pages of that size",
    tests: [lists("is complete if its page_size is capped, and the cap is remembered")],
    guard: { file: LOAD, from: "size = page.rows.length;", to: "" },
  },
  {
    fault: "page_size is ignored",
    injected: "pages of 40 whatever is asked, told or not",
    seen: "all rows",
    tests: [lists("is complete if its page_size is ignored, the size in use %s")],
    guard: { file: ACCUMULATOR, from: "(hasAll(state) && state.isShort && !mayBeCap)", to: "state.isShort" },
  },
  {
    fault: "page_size is refused",
    injected: "400 above 100",
    seen: "all rows, in pages of 100",
    tests: [lists("is read in a smaller page_size if the first is refused")],
    guard: { file: LOAD, from: 'if (error.code === "FEED_REQUEST_INVALID") return true;', to: "" },
  },
  {
    fault: "total drifts by one between pages",
    injected: "a row that comes in or goes after the first page; another total in the second page, or in each",
    seen: "all rows, read once more, in one page where one holds them; `#N/A` `FEED_RESPONSE_MALFORMED` where it never rests",
    tests: [
      moving("are flagged if a row vanishes during the reading, which only the total shows"),
      moving("is complete in %s, since one page holds it"),
      moving("is flagged in %s if no page holds it"),
      lists("is reread and complete if its total changes between pages"),
      lists("is flagged if its total never settles"),
    ],
    guard: { file: ACCUMULATOR, from: "if (total !== state.total) state.isSteady = false;", to: "" },
  },
  {
    fault: "rows come twice in different pages",
    injected: "rows pushed on by one; a foreign row in each page",
    seen: "all rows, read once more; `#N/A` `FEED_RESPONSE_MALFORMED` where it never rests",
    tests: [
      lists("is reread and complete if its pages repeat a row, as after an insertion"),
      lists("is flagged if its pages repeat a different row at each reading"),
      moving("is complete if one page holds it, and flagged if none does: it %s"),
    ],
    guard: {
      file: ACCUMULATOR,
      from: "if (!addKeys(state, identities.slice(overlap)) || state.isFilledUp)",
      to: "addKeys(state, identities.slice(overlap));\n  if (state.isFilledUp)",
    },
  },
  {
    fault: "a company stands twice in a list, written otherwise, in another's stead",
    injected: "its id in other letters, its classifications in another order",
    seen: "`#N/A` `FEED_RESPONSE_MALFORMED`",
    tests: [whole("%s, in place of another company, is the same row")],
    guard: { file: "src/feed/pages/identity.ts", from: "entries.map(readNode).sort()", to: "entries.map(readNode)" },
  },
  {
    fault: "neighbours swap between pages",
    injected: "rows of equal rank in another order for each page, the same each time or at random",
    seen: "all rows, read in one page; `#N/A` `FEED_RESPONSE_MALFORMED` where none holds them",
    tests: [
      moving("is complete in %s, since one page holds it"),
      moving("is flagged in %s if no page holds it"),
      moving("is flagged or complete if they swap at each request"),
      inFile("test/feed/properties/moving-lists.test.ts")("is the provider's list of one moment or an error"),
    ],
    guard: { file: WAYS, from: "second === undefined ? toWholePage(first, limit) : []", to: "[]" },
  },
  {
    fault: "a page leaves a row out",
    injected: "each page but the first without its first row, for all rows and for the first 100",
    seen: "all rows, read in one page; `#N/A` `FEED_RESPONSE_MALFORMED` where none holds them",
    tests: [
      moving("are flagged if a page omits a row, which no total shows"),
      moving("is complete if one page holds it, and flagged if none does: it %s"),
    ],
    guard: { file: VERDICT, from: 'if (!isSifted && !hasAll(state) && hasGap(state)) return "gap";', to: "" },
  },
  {
    fault: "two rows of a ranking that nothing tells apart, in different pages",
    injected: "rows without a ticker, of one name and headquarters",
    seen: "both, where pages of another size have the same rows; else `#N/A` `FEED_RESPONSE_MALFORMED`",
    tests: [
      whole("are rejected if no other page size is possible, since a row may be missing"),
      whole("count as two in different pages, if pages of another size have the same rows"),
    ],
    guard: { file: VERDICT, from: 'return hasAlike ? "alike" : "whole";', to: 'return "whole";' },
  },
  {
    fault: "the index of names is gone on with after its list has moved",
    injected: "an hour between two pages, in which one company goes and another comes",
    seen: "all companies, of a list that is read anew",
    tests: [
      inFile("test/feed/names.test.ts")("that resumes later rereads its last page, and every page of a changed list"),
    ],
    guard: { file: "src/feed/names/build.ts", from: "isOld && number > 1 && !isSame(persisted, page)", to: "false" },
  },
  {
    fault: "a page past the end is 404, 400 or empty",
    injected: "these answers for page 5 of 4",
    seen: "all rows",
    tests: [lists("is complete if its page past the end is %s")],
    guard: { file: LOAD, from: 'const isPastEnd = code === "FEED_NOT_FOUND" ||', to: "const isPastEnd =" },
  },
];

export const ROWS: readonly Fault[] = [...SEVERAL, ...LISTS];
