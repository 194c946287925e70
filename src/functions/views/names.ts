import { ArgumentError } from "../../client/errors";
import { msg } from "../../client/messages";
import { NAME_FIELDS, NAME_TABLE_COLUMNS } from "../../feed/field-tables";
import { session } from "../../session/current";
import { type Argument, type Given, isBlank, quote, readNames, readScalar } from "../arguments";
import { readAnswer, type View } from "../view-observer";
import { openList } from "./table";
import { readCountry, readHeaders, readTop } from "./table-arguments";

export function openFound(given: Given<"text" | "country" | "top" | "fields" | "headers">): View {
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

export function openId({ text, country }: Given<"text" | "country">): View {
  const query = session.feed.names.queryId(readQuery(text), readCountry(country, session.settings.country));
  return {
    queries: [query],
    rereadsOnRefresh: false,
    show([settled]) {
      return { rows: [[readAnswer(settled)]] };
    },
  };
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
