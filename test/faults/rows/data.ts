import { type Fault, inFile } from "../fault";
import { ROWS as LISTED } from "./data-lists";

const figures = inFile("test/faults/data-figures.test.ts");
const answers = inFile("test/faults/data-answers.test.ts");
const dates = inFile("test/faults/date-years.test.ts");
const interim = inFile("test/faults/interim-figures.test.ts");

const METRICS = "src/feed/financials/metrics.ts";
const PERIODS = "src/feed/financials/periods.ts";
const REPLY = "src/client/http/response.ts";
const CELLS = "src/functions/cells.ts";

const FIGURES: readonly Fault[] = [
  {
    fault: "a metric stands in two statements",
    injected: "a further statement in the answer",
    seen: "`#VALUE!` `FEED_AMBIGUOUS` with both to choose from",
    tests: [
      figures("is ambiguous if two statements have it, and the error names both"),
      figures("is ambiguous if nothing but the value differs"),
    ],
    guard: { file: METRICS, from: "if (statements.size > 1 && !isYearFact(name)) {", to: "if (false) {" },
  },
  {
    fault: "two consolidations",
    injected: "a further statement in the answer",
    seen: "the consolidated value",
    tests: [figures("is the consolidated one of two consolidations")],
    guard: { file: METRICS, from: "const rest = preferConsolidated(fitting);", to: "const rest = fitting;" },
  },
  {
    fault: "two annual versions of a year",
    injected: "a further version in the answer",
    seen: "`#VALUE!` `FEED_AMBIGUOUS` with the bases to choose from",
    tests: [figures("is ambiguous if two annual versions have it, and the error names both")],
    guard: { file: METRICS, from: "rest.some(({ value }) => value !== first.value)", to: "false" },
  },
  {
    fault: "an annual statement lacks a metric that a half-year has",
    injected: "half-years beside it in the answer, first or last, with and without period types",
    seen: "`#N/A` `FEED_NO_VALUE` with the basis to ask for; no row of a table has figures of two periods",
    tests: [
      interim("is #N/A with the basis to use if %s"),
      interim("in the wide layout has a row for each annual statement, and nothing of other periods"),
      {
        file: "test/feed/financials/periods.test.ts",
        title: "gives the annual figure, fact and year without a basis, or an error",
      },
    ],
    guard: { file: PERIODS, from: "return annual.length > 0 ? annual : all.filter", to: "return all.filter" },
  },
  {
    fault: "the latest year has interim figures alone",
    injected: "a half-year of a later year in the answer",
    seen: "`#N/A` `FEED_NO_VALUE` with the basis to ask for; FY0 is the latest year with an annual statement",
    tests: [interim("is #N/A with the basis to use, and FY0 is the latest year with an annual statement")],
    guard: {
      file: PERIODS,
      from: "version.statements.length > 0 && !isInterim(version)",
      to: "version.statements.length > 0",
    },
  },
  {
    fault: "one basis fits two parts of a year",
    injected: "two half-years with different metrics",
    seen: "`#VALUE!` `FEED_AMBIGUOUS` with the part that has the metric",
    tests: [interim("does not mix two interim periods that match one basis")],
    guard: { file: METRICS, from: "others.length > 0 || ", to: "" },
  },
  {
    fault: "answers for several companies do not say when their years begin and end",
    injected: "POST answers without bounds, of all companies and of some; a date as year",
    seen: "each such company asked for alone, counted beforehand in what a person confirms; the others by one request for 25",
    tests: [
      dates("is counted beforehand by its maximum, and sent once that is confirmed"),
      dates("takes one more for each company without bounds, and for no other"),
      dates("is #VALUE! if no answer has bounds, and each company is fetched alone once"),
    ],
    guard: { file: "src/feed/cost.ts", from: "+ twice;", to: "+ 0 * twice;" },
  },
  {
    fault: "they leave it out after they have said it before",
    injected: "POST answers without bounds after one with them; a date as year",
    seen: "`#N/A` `FEED_CONFIRM_NEEDED` where the further requests pass the limit",
    tests: [dates("asks for confirmation before an unexpected second request exceeds the limit")],
    guard: { file: "src/feed/financials.ts", from: "if (isUncounted) expect(2);", to: "" },
  },
  {
    fault: "a metric or a year is absent",
    injected: "asked for what the provider does not have",
    seen: "`#N/A` `FEED_NO_VALUE` with what there is",
    tests: [figures("is #N/A for a missing metric, with the available ones"), figures("is #N/A for a missing year")],
    guard: {
      file: METRICS,
      from: "if (fitting.length === 0) throw new NoValueError",
      to: "if (false) throw new NoValueError",
    },
  },
  {
    fault: "a figure is null",
    injected: "null in the answer",
    seen: "`#N/A` `FEED_NO_VALUE`, never 0",
    tests: [figures("that is null is #N/A, never 0"), figures("that is 0 is 0")],
    guard: {
      file: METRICS,
      from: "if (value === null || value === undefined) {",
      to: "if (value === null || value === undefined) {\n    return 0;",
    },
  },
  {
    fault: "unknown enumeration value, field or statement",
    injected: "new ones in the answer",
    seen: "shown as they come",
    tests: [figures("is shown unchanged: an unknown statement, enumeration value and field")],
    guard: {
      file: METRICS,
      from: "if (isWanted(name, statementType)) found",
      to: "if (isWanted(name, statementType) && statementType in METRICS) found",
    },
  },
  {
    fault: "a formula names a field that is in neither our table nor the answer",
    injected: "a misspelt field",
    seen: "`#VALUE!` `FEED_ARGUMENT_INVALID` with the closest one",
    tests: [
      {
        file: "test/functions/companies.test.ts",
        title: "leaves blank cells of a range blank; an invalid cell affects itself alone",
      },
    ],
    guard: { file: "src/functions/views/table.ts", from: 'if ("closest" in field) {', to: "if (false) {" },
  },
  {
    fault: "a number is a text, NaN or 1e400",
    injected: "the answer's text changed",
    seen: "`#N/A` `FEED_RESPONSE_MALFORMED` in its own cell, its neighbours right",
    tests: [
      figures("of %s is flagged, and its neighbours are right"),
      {
        file: "test/functions/rankings.test.ts",
        title: "shows a measure that is no number as an error in its cell, and sorts it as absent",
      },
    ],
    guard: {
      file: METRICS,
      from: "}\n  throw new DecodeError(",
      to: "}\n  return Number(value);\n  throw new DecodeError(",
    },
  },
  {
    fault: "NaN makes an answer no JSON",
    injected: "NaN and -Infinity written into the answer",
    seen: "the rest of the answer all the same, by one request",
    tests: [figures("of %s is flagged, and its neighbours are right")],
    guard: {
      file: "src/client/http/json.ts",
      from: "return exact === undefined ? parseExactly(quoteOddNumbers(text)) : exact;",
      to: "return exact;",
    },
  },
  {
    fault: "an integer above 2^53",
    injected: "written into the answer",
    seen: "the nearest double",
    tests: [figures("above 2^53 is the nearest double")],
    guard: {
      file: METRICS,
      from: 'year: number): number {\n  if (typeof value === "number" && Number.isFinite(value)) return value;',
      to: 'year: number): number {\n  if (typeof value === "number" && Number.isSafeInteger(value)) return value;',
    },
  },
];

const ANSWERS: readonly Fault[] = [
  {
    fault: "an answer of 50 MB",
    injected: "51 MB from a server in the provider's place",
    seen: "`#VALUE!` `FEED_RESULT_TOO_LARGE`, asked for once; the next formula is answered",
    tests: [answers("of 50 MB is reported, requested once, and the page survives")],
    guard: { file: REPLY, from: "if (bytes > MAX_BODY_BYTES) {", to: "if (false) {" },
  },
  {
    fault: "a list of 100,000 rows",
    injected: "by pages of 1,000, and all at once",
    seen: "`#VALUE!` `FEED_RESULT_TOO_LARGE` after its first page; the next formula is answered",
    tests: [
      answers("of 100,000 rows is reported after its first pages, and the page survives"),
      answers("of 100,000 unrequested rows at once yields the requested ones"),
    ],
    guard: { file: CELLS, from: "if (expectedBytes <= LARGEST_RESULT_BYTES) return;", to: "return;" },
  },
  {
    fault: "an error's body of the rankings' shape",
    injected: "400 with message, details and traceId",
    seen: "`#VALUE!` with message and details",
    tests: [answers("of the rankings' shape is shown with its details")],
    guard: {
      file: REPLY,
      from: "(Array.isArray(details) ? details : []).map((detail) =>",
      to: "([] as any[]).map((detail) =>",
    },
  },
  {
    fault: "the traceId of an error",
    injected: "400 from the provider",
    seen: "the pane shows it at the formula and at the request, for support",
    tests: [
      {
        file: "test/faults/pane.test.tsx",
        title: "is shown in the pane, at the failed formula and at its request",
      },
    ],
    guard: { file: "src/taskpane/Reason.tsx", from: "{traceId !== undefined &&", to: "{false &&" },
  },
  {
    fault: "an error's body of another shape, HTML, or empty",
    injected: "400 and 404 with such bodies",
    seen: "`#VALUE!` or `#N/A` by the status, never a piece of the page",
    tests: [answers("%s is replaced by the status")],
    guard: { file: REPLY, from: 'if (typeof body !== "object" || body === null) return { text: "" };', to: "" },
  },
  {
    fault: 'names like `=HYPERLINK("…")`, `+1`, `@cmd`, `<img onerror>`, with right-to-left marks',
    injected: "written into the provider's answer; the sample provider has them too",
    seen: "the very text; nothing runs",
    tests: [
      answers("is shown as text: formula, sum, command, markup, right-to-left marks"),
      { file: "test/e2e/playground-streams.test.ts", title: "shows every hostile name as text and runs nothing" },
    ],
    guard: {
      file: CELLS,
      from: 'return toText(typeof value === "string" ? value : JSON.stringify(value));',
      to: 'return toText(typeof value === "string" ? value.replace(/^=.*/, "") : JSON.stringify(value));',
    },
  },
  {
    fault: "a name with NUL",
    injected: "written into the provider's answer",
    seen: "the text without it",
    tests: [answers("loses characters that no workbook can hold, such as NUL")],
    guard: { file: CELLS, from: "const clean = text.replace(/[", to: "const clean = text.replace(/(?!)[" },
  },
  {
    fault: "a name of 40,000 characters",
    injected: "written into the provider's answer",
    seen: "its first 32,767",
    tests: [answers("of 40,000 characters is truncated at a cell's length, not inside a character")],
    guard: { file: CELLS, from: "clean.slice(0, LONGEST_TEXT)", to: "clean" },
  },
  {
    fault: "an error in place of a record, as a success",
    injected: "200 with an error body, an empty object, a text",
    seen: "`#N/A` `FEED_RESPONSE_MALFORMED` with what it says; at a refresh the last good value",
    tests: [inFile("test/client/http/error-bodies.test.ts")("is malformed in place of %s, with its message")],
    guard: {
      file: "src/client/http/response.ts",
      from: 'return typeof error === "object" && error !== null;',
      to: "return false;",
    },
  },
  {
    fault: "pages of a ranking that are null",
    injected: "null in the provider's answer",
    seen: "0, as documented; empty where the type is missing",
    tests: [answers("is 0 for a null page type, and an empty cell for a missing one")],
    guard: { file: "src/functions/views/page-types.ts", from: "value ?? NOT_VIEWED", to: "value" },
  },
  {
    fault: "engagement times that are null",
    injected: "null in the provider's answer",
    seen: "empty cells",
    tests: [answers("is an empty cell: engagement times that are null, whole or in part")],
    guard: {
      file: "src/functions/views/table.ts",
      from: "if (value === null || value === undefined) return value;",
      to: "if (value === null || value === undefined) return 0;",
    },
  },
];

export const ROWS: readonly Fault[] = [...LISTED, ...FIGURES, ...ANSWERS];
