import { ArgumentError } from "../client/errors";
import { NAME_FIELDS, NAME_TABLE_COLUMNS } from "../feed/field-tables";
import { session } from "../session/current";
import {
  type Argument,
  type Given,
  isBlank,
  quote,
  readCountry,
  readHeaders,
  readNames,
  readScalar,
  readTop,
} from "./arguments";
import { stream } from "./stream";
import { openList } from "./table";
import { readAnswer, type View } from "./view-observer";

/**
 * Companies whose names, ticker or registration number match a text, the best match first, as a table that spills.
 * @customfunction FIND
 * @param text Part of a name in any writing, a ticker or a registration number, e.g. "高島", "sakura foods", 7203
 * @param [country] A country's code such as "JPN", or "ALL"; the country of the settings when left out
 * @param [top] Rows wanted, or "all"; all when left out
 * @param [fields] Fields wanted, e.g. "companyId,companyEnglishName", or "all"; the most used when left out
 * @param [headers] FALSE leaves the header row out
 * @param invocation Streams the table
 * @streaming
 * @requiresStreamAddress
 */
export function find(
  text: any,
  country: any,
  top: any,
  fields: any[][],
  headers: any,
  invocation: CustomFunctions.StreamingInvocation<any[][]>,
): void {
  stream(session, invocation, "FIND", { text, country, top, fields, headers }, openFound);
}

/**
 * The company id of the one company whose name, ticker or registration number matches a text.
 * @customfunction ID
 * @param text A name in any writing, a ticker or a registration number, e.g. "株式会社髙島屋", "Sakura Foods", 7203
 * @param [country] A country's code such as "JPN", or "ALL"; the country of the settings when left out
 * @param invocation Streams the id
 * @streaming
 * @requiresStreamAddress
 */
export function id(text: any, country: any, invocation: CustomFunctions.StreamingInvocation<any[][]>): void {
  stream(session, invocation, "ID", { text, country }, openId);
}

function openFound(given: Given<"text" | "country" | "top" | "fields" | "headers">): View {
  const { text, country, top, fields, headers } = given;
  const query = readQuery(text);
  return openList({
    query: session.feed.names.query(query, readCountry(country, session.settings.country), readTop(top, "all")),
    rereadsOnRefresh: false,
    known: NAME_FIELDS,
    names: readNames(fields, "fields"),
    columns: NAME_TABLE_COLUMNS,
    headers: readHeaders(headers),
    dateSystem: session.settings.dateSystem,
  });
}

function openId({ text, country }: Given<"text" | "country">): View {
  const query = session.feed.names.queryId(readQuery(text), readCountry(country, session.settings.country));
  return {
    queries: [query],
    rereadsOnRefresh: false,
    show([settled]) {
      return { rows: [[readAnswer(settled).value]], expected: 1 };
    },
  };
}

/** What to look for: text, or an integer meaning its digits. @throws ArgumentError (FEED_ARGUMENT_INVALID) */
function readQuery(argument: Argument): string {
  const value = readScalar(argument);
  if (isBlank(value)) {
    throw new ArgumentError('text is missing; give part of a name such as "高島", a ticker or a registration number');
  }
  const isNumber = typeof value === "number" && Number.isSafeInteger(value) && value > 0;
  const text = typeof value === "string" || isNumber ? String(value) : "";
  if (!/[\p{L}\p{N}]/u.test(text.normalize("NFKC"))) {
    throw new ArgumentError(
      `text must have letters or digits of a name, a ticker or a registration number, not ${quote(value)}`,
    );
  }
  return text.trim();
}
