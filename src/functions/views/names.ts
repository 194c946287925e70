import { ArgumentError, NoValueError } from "../../client/errors";
import { joined, type Message, msg, translate } from "../../client/messages";
import type { Row } from "../../feed/decode";
import { MATCH_COLUMNS, MATCH_FIELDS, NAME_FIELDS, NAME_TABLE_COLUMNS } from "../../feed/field-tables";
import type { Evidence, NameMatch, NameMatches, NameToMatch } from "../../feed/names";
import { toNotReady } from "../../feed/names/not-ready";
import { session } from "../../session/current";
import {
  A_COMPANY,
  type Argument,
  type Given,
  isBlank,
  isSingle,
  LONGEST_NAME,
  quote,
  type Reading,
  readCell,
  readNames,
  readScalar,
  readText,
  toGiven,
  toRange,
} from "../arguments";
import { type View, viewAnswer } from "../view-observer";
import { openList, readCountry, readFields, readHeaders, readTop, toTable } from "./table";

export function openFound(given: Given<"text" | "country" | "top" | "fields" | "headers">): View {
  const { text, country, top, fields, headers } = given;
  const query = readQuery(text);
  return openList({
    query: session.feed.names.query(query, readCountry(country, session.settings.country), readTop(top, "all")),
    known: NAME_FIELDS,
    names: readNames(fields, "fields"),
    columns: NAME_TABLE_COLUMNS,
    headers: readHeaders(headers),
  });
}

export function openId({ text, country }: Given<"text" | "country">): View {
  const query = session.feed.names.queryId(readQuery(text), readCountry(country, session.settings.country));
  return viewAnswer(query, (id) => ({ rows: [[id]] }));
}

/** What to look for: text, or an integer meaning its digits. @throws ArgumentError (FEED_ARGUMENT_INVALID) */
function readQuery(argument: Argument): string {
  const value = readScalar(argument);
  if (isBlank(value)) {
    throw new ArgumentError(
      msg`text is missing; give part of a name such as "高島", a ticker or a registration number`,
    );
  }
  const isNumber = typeof value === "number" && Number.isSafeInteger(value) && value > 0;
  const text = typeof value === "string" || isNumber ? String(value) : "";
  if (!/[\p{L}\p{N}]/u.test(text.normalize("NFKC"))) {
    throw new ArgumentError(
      msg`text must have letters or digits of a name, a ticker or a registration number, not ${quote(value)}`,
    );
  }
  return text.trim();
}

/**
 * The names of a list with their hints, a reading for each line; blank lines at the end are left out.
 *
 * @throws ArgumentError (FEED_ARGUMENT_INVALID) where names are not one column, or hints have other rows; the error of a
 * single name or hint
 */
export function readLines(names: Argument, hints: Argument): Reading<NameToMatch>[] {
  const column = toGiven(names, "names", msg`a column of names`);
  const [row] = column;
  if (row !== undefined && row.length > 1) {
    throw new ArgumentError(msg`names must be one column such as A2:A500, not ${row.length} columns`);
  }
  const beside = readHints(hints, column.length);
  const end = column.findLastIndex(([cell]) => !isBlankCell(cell)) + 1;
  const lines = column.slice(0, Math.max(end, 1)).map(([cell], at) => readLine(cell, beside[at] ?? []));
  const [line] = lines;
  if (lines.length === 1 && line?.kind === "error") throw line.error; // a single name's error is the formula's
  return lines;
}

function readHints(hints: Argument, rows: number): Argument[][] {
  const cells = toRange(hints);
  if (isSingle(cells)) {
    const only = readHint(cells[0]?.[0]);
    if (only.kind === "blank") return [];
    if (only.kind === "error") throw only.error; // an error by itself was not looked up beside other hints
  }
  if (cells.length === rows) return cells;
  throw new ArgumentError(msg`hints must have a row for each name: names have ${rows} rows, hints ${cells.length}`);
}

/** An error counts as given, so that its row shows it. */
const isBlankCell = (cell: Argument): boolean => readCell(cell, () => true).kind === "blank";

const readHint = (cell: Argument): Reading<string> => readCell(cell, (value) => readText(value, "hints") ?? "");

/** A name with its hints. A hint that is no text or number, such as a look-up's error, says nothing. */
function readLine(cell: Argument, hints: readonly Argument[]): Reading<NameToMatch> {
  return readCell(cell, (value): NameToMatch => {
    const name = readText(value, "names") ?? "";
    if (name.length > LONGEST_NAME) {
      throw new ArgumentError(msg`${"names"} must be ${A_COMPANY}, not ${quote(name)}`);
    }
    return { name, hints: hints.map(readHint).flatMap((hint) => (hint.kind === "value" ? [hint.value] : [])) };
  });
}

/** Opens the table of companies that a list of names means. */
export function openMatches(given: Given<"names" | "country" | "hints" | "fields" | "headers">): View {
  const lines = readLines(given.names, given.hints);
  const country = readCountry(given.country, session.settings.country);
  const fields = readFields(readNames(given.fields, "fields") ?? MATCH_COLUMNS, MATCH_FIELDS, []);
  const headers = readHeaders(given.headers);
  const asked = lines.flatMap((line) => (line.kind === "value" ? [line.value] : []));
  const show = ({ matches }: Pick<NameMatches, "matches">) => ({
    ...toTable(toRows(lines, matches, country), { fields, headers }),
    cures: msg`give fewer names or fields`,
  });
  // Of namesakes the one is meant that alone can have the wanted code.
  const wants = (code: string) => fields.some(({ name }) => name === code);
  const only = wants("tickerSymbol") ? "taxonomy" : "private";
  const family = wants("tickerSymbol") === wants("registrationNumber") ? undefined : only;
  if (asked.length === 0) return { queries: [], show: () => show({ matches: [] }) };
  return viewAnswer(session.feed.names.queryMatches(asked, country, family), show);
}

/** A row for each line. */
function toRows(lines: readonly Reading<NameToMatch>[], matches: readonly NameMatch[], country: string): Row[] {
  const places = lines.flatMap((line, place) => (line.kind === "value" ? [place] : []));
  let at = 0;
  return lines.map((line): Row => {
    if (line.kind === "blank") return {};
    if (line.kind === "error") return toErrorRow(line.error, MATCH_FIELDS);
    const match = matches[at++] as NameMatch;
    const sameAs = match.sameAs === null ? null : (places[match.sameAs] as number) + 1;
    return { ...toMatchRow(line.value.name, match, country), sameAs };
  });
}

const toErrorRow = (error: unknown, fields: readonly { name: string }[]): Row =>
  Object.fromEntries(fields.map(({ name }) => [name, error]));

/** A company that is not certain is an error in each field of its own, so that no formula takes it for the match. */
function toMatchRow(name: string, match: NameMatch, country: string): Row {
  const { state, candidates } = match;
  const [best] = candidates;
  const isTaken = best !== undefined && (state === "exact" || state === "sure");
  return {
    ...(isTaken ? toCompanyRow(best.company, country) : toErrorRow(toNobody(name, match, country), NAME_FIELDS)),
    state,
    score: best?.score ?? null,
    reason: translate(toReason(match)),
    closestId: best?.company.companyId ?? null,
    closestName: best?.company.companyName ?? null,
    candidates: candidates.map(({ company, score }) => `${company.companyName} (${score.toFixed(2)})`).join("; "),
  };
}

/** Of a company that a person chose, only id and name are known without its index; each company of an index has a family. */
function toCompanyRow(company: Row, country: string): Row {
  return company.families === undefined
    ? { ...toErrorRow(toNotReady(country, null), NAME_FIELDS), ...company }
    : company;
}

const MOST_NAMED = 3;

/** A doubtful name is ambiguous: a person, or a hint, must choose. */
function toNobody(name: string, { candidates, isDecided }: NameMatch, country: string): NoValueError {
  const named = { name, country };
  if (isDecided) {
    return new NoValueError(
      "FEED_NO_VALUE",
      msg`"${name}" has no company, by a choice kept in this workbook; choose one in the FEED pane`,
      { named },
    );
  }
  if (candidates.length === 0) {
    return new NoValueError("FEED_NO_VALUE", msg`no company is named like "${name}"; check the name and the country`);
  }
  const first = candidates.slice(0, MOST_NAMED).map(({ company }) => `${company.companyName} (${company.companyId})`);
  return new NoValueError(
    "FEED_AMBIGUOUS",
    msg`"${name}" is not certain; the closest: ${joined(first, "; ")}; choose one in the FEED pane, or give a hint such as a ticker or website`,
    { named },
  );
}

/** What decided, as a person reads it. */
function toReason({ state, candidates, alike, isDecided }: NameMatch): Message {
  if (isDecided) return EVIDENCE.workbook;
  const evidence = candidates[0]?.evidence ?? [];
  if (evidence.includes("companyId")) return EVIDENCE.companyId;
  const doubt = alike > 1 ? msg`${alike} alike` : msg`not certain`;
  const word = { exact: msg`same name`, sure: msg`name`, doubtful: doubt, none: msg`no similar name` }[state];
  return joined([word, ...evidence.map((each) => EVIDENCE[each])], ", ");
}

const EVIDENCE: Readonly<Record<Evidence, Message>> = {
  workbook: msg`workbook`,
  companyId: msg`companyId`,
  ticker: msg`ticker`,
  registrationNumber: msg`registrationNumber`,
  website: msg`website`,
  city: msg`city`,
  industry: msg`industry`,
  legalForm: msg`legalForm`,
};
