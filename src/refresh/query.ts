import { text } from "node:stream/consumers";
import { UsageError } from "../companion/commands/results";
import { findFolder, type Surroundings } from "../companion/commands/surroundings";
import { toCommand } from "../companion/program";
import { DEFAULT_SETTINGS } from "../session/settings";
import { calculateFormulas, createFindFacts, type FormulaResult } from "./formula-results";
import { type Host, openHost, readMetadata } from "./host";
import { type OpenedProvider, openProvider, type ProviderOptions } from "./provider";
import { type Format, type QueryResult, toText } from "./query-output";
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
    const namesFolder = findFolder(surroundings).names;
    const host = await openHost({ provider, metadata, settings: { requestLimit }, onCost, namesFolder });
    try {
      const results = await followRequests(host.session, () => calculateFormulas(formulas, host));
      refuseHeldBack(host, requestLimit);
      const format = toFormat(options, isTerminal);
      const withFacts = results.map((each) => ({ ...each, facts: format === "json" ? listFacts(each, host) : null }));
      print(toText(withFacts, format, toSource(provider, host)));
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

const toFormat = ({ csv, json, table }: QueryOptions, isTerminal: boolean): Format => {
  if (json) return "json";
  return table || (isTerminal && !csv) ? "table" : "csv";
};

function toSource({ describe }: OpenedProvider, { session }: Host) {
  const { client, provider, mode } = describe;
  return { provider, client, sample: mode === "sample", requests: session.feed.activity.requests() };
}

function listFacts(result: FormulaResult, { session }: Host): QueryResult["facts"] {
  const findFacts = createFindFacts(result, session.feed);
  const facts = result.rows.map((row, r) => row.map((_, c) => findFacts(r, c)));
  return facts.some((row) => row.some((each) => each !== null)) ? facts : null;
}

function refuseFailed(results: readonly FormulaResult[]): void {
  const failed = results.flatMap(({ formula, error }) =>
    error === null ? [] : `${formula}: ${error.code}: ${error.sentence}`,
  );
  if (failed.length === 0) return;
  for (const line of failed) say(line);
  throw new Error(`${failed.length} of ${results.length} formulas failed.`);
}

/** Says something beside the output, which may go to a file. */
const say = (line: string): void => void process.stderr.write(`${line}\n`);
