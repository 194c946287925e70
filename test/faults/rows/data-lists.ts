import { type Fault, inFile } from "../fault";

const lists = inFile("test/faults/data-lists.test.ts");
const figures = inFile("test/faults/data-figures.test.ts");

const PLANNER = "src/feed/financials/planner.ts";
const LOAD = "src/feed/pages/load.ts";
const PILE = "src/feed/pages/pile.ts";

const SEVERAL: readonly Fault[] = [
  {
    fault: "POST /financials returns fewer than asked, and its total says more",
    injected: "pages of ten from the provider",
    seen: "every value, after splitting",
    tests: [figures("is completed by splitting where POST /financials answers fewer than asked")],
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
      figures("is read one by one at last where it never answers several"),
      figures("is completed by splitting where it answers the first few and its total says that they are all"),
    ],
    guard: { file: PLANNER, from: "toGroups(doubtful, size || 1)", to: "toGroups(doubtful, ids.length)" },
  },
  {
    fault: "one bad id in 100",
    injected: "an id that the provider leaves out, or refuses all for with 404 or 400",
    seen: "`#N/A` `FEED_NOT_FOUND` in its cell, values in all others",
    tests: [
      figures("has every value but one where one id among many is %s"),
      { file: "test/feed/financials/batch.test.ts", title: "with one id in 100 that is %s has 99 values" },
    ],
    guard: { file: PLANNER, from: '"FEED_NOT_FOUND", "FEED_SCOPE', to: '"FEED_SCOPE' },
  },
];

const LISTS: readonly Fault[] = [
  {
    fault: "a list ignores page",
    injected: "the first page whatever is asked",
    seen: "`#N/A` `FEED_RESPONSE_MALFORMED`: the same rows for every page; 4 requests at most",
    tests: [lists("whose provider ignores page is noticed and not read for ever")],
    guard: { file: PILE, from: "if (isRepeated(state, ids)) {", to: "if (isRepeated(state, ids) && false) {" },
  },
  {
    fault: "total is smaller than the list, or that of each page",
    injected: "totals changed by the provider",
    seen: "all rows",
    tests: [lists("whose total is %s is whole"), lists("whose total is that of each page is whole")],
    guard: { file: PILE, from: "Math.max(total ?? 0, rows.length));", to: "total ?? rows.length);" },
  },
  {
    fault: "total is larger than the list",
    injected: "a total with 50 more",
    seen: "`#N/A` `FEED_RESPONSE_MALFORMED`: how many were announced, and how many came",
    tests: [lists("whose total announces rows that do not come is flagged")],
    guard: { file: PILE, from: "const isCounted = rows.length >= list.expected;", to: "const isCounted = true;" },
  },
  {
    fault: "page_size is capped",
    injected: "30 rows a page at most",
    seen: "all rows, in pages of that size",
    tests: [lists("whose page_size is capped is whole, and the cap is kept to")],
    guard: { file: LOAD, from: "asked = page.rows.length;", to: "" },
  },
  {
    fault: "page_size is ignored",
    injected: "pages of 40 whatever is asked, told or not",
    seen: "all rows",
    tests: [lists("whose page_size is ignored is whole, the size in use %s")],
    guard: { file: PILE, from: "(hasAll(state) && state.isShort && !mayBeCap())", to: "state.isShort" },
  },
  {
    fault: "page_size is refused",
    injected: "400 above 100",
    seen: "all rows, in pages of 100",
    tests: [lists("whose page_size is refused is read in a smaller one")],
    guard: { file: LOAD, from: 'if (error.code === "FEED_REQUEST_INVALID") return true;', to: "" },
  },
  {
    fault: "total changes between pages",
    injected: "another total in the second page; another in each",
    seen: "all rows, read once more; `#N/A` `FEED_RESPONSE_MALFORMED` where it never rests",
    tests: [
      lists("whose total changes between pages is read once more and shown whole"),
      lists("whose total never rests is flagged"),
    ],
    guard: { file: PILE, from: "if (page.total !== state.total) state.isSteady = false;", to: "" },
  },
  {
    fault: "rows come twice in different pages",
    injected: "rows pushed on by one; a foreign row in each page",
    seen: "all rows, read once more; `#N/A` `FEED_RESPONSE_MALFORMED` where it never rests",
    tests: [
      lists("whose pages repeat a row, as one came in meanwhile, is read once more and shown whole"),
      lists("whose pages repeat a row at each reading, another one each time, is flagged"),
    ],
    guard: { file: PILE, from: "if (ids.some(isTwice)) state.isDistinct = false;", to: "" },
  },
  {
    fault: "a page past the end is 404, 400 or empty",
    injected: "these answers for page 5 of 4",
    seen: "all rows",
    tests: [lists("whose page past the end is %s is whole")],
    guard: { file: LOAD, from: 'const isPastEnd = code === "FEED_NOT_FOUND" ||', to: "const isPastEnd =" },
  },
];

export const ROWS: readonly Fault[] = [...SEVERAL, ...LISTS];
