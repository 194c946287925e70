import { text } from "node:stream/consumers";
import { UsageError } from "../companion/commands/results";
import { findFolder, type Surroundings } from "../companion/commands/surroundings";
import { toCommand } from "../companion/program";
import { toFigureFacts } from "../feed/financials/metrics";
import type { Call } from "../session/calls";
import type { Session } from "../session/session";
import { DEFAULT_SETTINGS } from "../session/settings";
import { calculate, type FeedResult, type WorkbookCells } from "./engine";
import { type Host, openHost, readMetadata } from "./host";
import { type OpenedProvider, openProvider, type ProviderOptions } from "./provider";
import { type Format, type QueryResult, toText } from "./query-output";
import { toAsOf } from "./report";
import { followRequests, refuseHeldBack } from "./requests";
import { toCount } from "./summary";

/** The options of the command. */
export interface QueryOptions extends ProviderOptions {
  csv?: boolean;
  json?: boolean;
  table?: boolean;
  /** Default that of a new workbook. */
  maxRequests?: number;
}

/**
 * Prints the results of formulas.
 * @param given The formulas; "-" stands for those of standard input, one a line.
 * @throws Error where one failed, after all results are printed; UsageError, ConfigurationError
 */
export async function query(
  given: readonly string[],
  options: QueryOptions,
  surroundings: Surroundings,
): Promise<void> {
  const { print, isTerminal = false, webFolder } = surroundings;
  const formulas = await readFormulas(given);
  const metadata = readMetadata(webFolder);
  const requestLimit = options.maxRequests ?? DEFAULT_SETTINGS.requestLimit;
  const provider = await openProvider(options, surroundings);
  try {
    if (provider.describe.mode === "sample") say("These are sample data: no provider is set, and no figure is real.");
    const onCost = (requests: number) => requests > 1 && say(`This takes about ${toCount(requests, "request")}.`);
    const { names: namesFolder } = findFolder(surroundings);
    const hasFormats = false; // dates as texts
    const host = await openHost({ provider, metadata, settings: { requestLimit }, onCost, hasFormats, namesFolder });
    try {
      const { feed } = await followRequests(host.session, () => calculate(toCells(formulas), host));
      refuseHeldBack(host, requestLimit);
      const bySheet = new Map(feed.map((result) => [result.sheet, result]));
      const results = formulas.map((formula, nth) => toResult(formula, bySheet.get(String(nth + 1)), host.session));
      print(toText(results, toFormat(options, isTerminal), toSource(provider, host)));
      refuseFailed(results);
    } finally {
      host.close();
    }
  } finally {
    await provider.close();
  }
}

async function readFormulas(given: readonly string[]): Promise<string[]> {
  const ofInput = given.includes("-") ? (await text(process.stdin)).split(/\r?\n/) : [];
  const all = given.flatMap((each) => (each === "-" ? ofInput : each)).map((each) => each.trim().replace(/^=\s*/, ""));
  const formulas = all.filter((each) => each !== "");
  if (formulas.length > 0) return formulas;
  throw new UsageError(`There is no formula. Try: ${toCommand(`query 'FEED.RANKING("2024-01",,20)'`)}`);
}

/** A workbook with each formula on a sheet of its own, where nothing is in a table's way. */
function toCells(formulas: readonly string[]): WorkbookCells {
  const array = { rows: 1, columns: 1, isDynamic: true };
  const cells = formulas.map((formula, nth) => {
    return [String(nth + 1), [{ row: 0, column: 0, value: null, formula, array }]] as const;
  });
  return {
    cells: new Map(cells),
    workbook: {
      sheets: cells.map(([name]) => ({ name, path: "" })),
      ...{ isDate1904: false, names: [], tables: [], isSigned: false, path: "", strings: [] },
      dynamicArrays: new Set(),
    },
  };
}

const toFormat = ({ csv, json, table }: QueryOptions, isTerminal: boolean): Format => {
  if (json) return "json";
  return table || (isTerminal && !csv) ? "table" : "csv";
};

function toSource({ describe }: OpenedProvider, { session }: Host) {
  const { client, provider, mode } = describe;
  return { provider, client, sample: mode === "sample", requests: session.feed.activity.requests() };
}

const UNREADABLE = {
  code: "FEED_UNREADABLE",
  sentence: `the formula cannot be read, or none of FEED is in it, such as FEED.RANKING("2024-01",,20)`,
};

function toResult(typed: string, found: FeedResult | undefined, session: Session): QueryResult {
  const formula = `=${typed}`;
  const nothing = { formula, rows: [], facts: null, asOf: null };
  if (found === undefined) return { ...nothing, error: UNREADABLE };
  const { after, calls, message } = found;
  if (!Array.isArray(after)) {
    const isUnreadable = after.error === UNREADABLE.code;
    return { ...nothing, error: isUnreadable ? UNREADABLE : { code: after.error, sentence: after.sentence } };
  }
  const [only] = after.length === 1 && after[0]?.length === 1 ? after[0] : [];
  const error = typeof only === "object" && only !== null ? toError(only.error, message) : null;
  return { formula, rows: after, error, facts: toFacts(after, calls), asOf: toAsOf(calls, session.feed).oldest };
}

/** A sentence of a formula begins with its code, as in a cell's error. */
function toError(value: string, message = ""): NonNullable<QueryResult["error"]> {
  const [, code = value, sentence = message || "the result is an error"] = /^(FEED_\w+): (.*)$/s.exec(message) ?? [];
  return { code, sentence };
}

/** What is known of figures that a single call shows as they are; a formula around them may have made others of them. */
function toFacts(rows: FeedResult["before"], calls: readonly Call[]): QueryResult["facts"] {
  const [call, ...others] = calls;
  if (call === undefined || others.length > 0) return null;
  const shown: readonly (readonly unknown[])[] = Array.isArray(call.shown) ? call.shown : [[call.shown]];
  const unit = call.given.unit ?? null;
  const facts = rows.map((row, r) =>
    row.map((value, c) => {
      const { places } = call.findOrigin(r, c);
      if (places.length === 0 || shown[r]?.[c] !== value) return null;
      return { ...toFigureFacts(places), year: places[0]?.year.year ?? null, unit };
    }),
  );
  return facts.some((row) => row.some((each) => each !== null)) ? facts : null;
}

function refuseFailed(results: readonly QueryResult[]): void {
  const failed = results.flatMap(({ formula, error }) =>
    error === null ? [] : `${formula}: ${error.code}: ${error.sentence}`,
  );
  if (failed.length === 0) return;
  for (const line of failed) say(line);
  throw new Error(`${failed.length} of ${results.length} formulas failed.`);
}

/** Says something beside the output, which may go to a file. */
const say = (line: string): void => void process.stderr.write(`${line}\n`);
