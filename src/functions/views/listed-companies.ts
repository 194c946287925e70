import { session } from "../../session/current";
import { type Argument, readCell, readCompany, splitSingle, toMissingCompany, toRange } from "../arguments";
import { readAnswer, type View } from "../view-observer";

/** A formula whose companies are a single text with commas. */
export interface Listed {
  /** The argument that has the companies. */
  name: string;
  given: Readonly<Record<string, Argument>>;
  open: (given: never) => View;
}

/**
 * Opens a formula whose companies are a single text with commas. It may be one company's name, which the index of names
 * says, so that the formula's view follows that answer; numbers and ids are a list without it.
 *
 * @throws ArgumentError (FEED_ARGUMENT_INVALID)
 */
export function openListed({ name, given, open }: Listed): View {
  const range = toRange(given[name]);
  const parts = splitSingle(range) ?? [];
  if (parts.length === 0) throw toMissingCompany(name);
  const { country } = session.settings;
  const text = String(range[0]?.[0]).trim();
  const openAs = (companies: readonly string[]) =>
    open({ ...given, [name]: companies.map((each) => [toWhole(each)]) } as never);
  if (!parts.some((part) => isName(part, country))) return openAs(parts);
  openAs([String(parts[0])]); // other arguments that are invalid need no index
  return {
    queries: [session.feed.names.querySplit(text, country)],
    rereadsOnRefresh: false,
    show: () => null,
    follow: (settled) => openAs(settled === undefined ? parts : readAnswer<string[]>(settled[0])),
  };
}

function isName(part: Argument, country: string): boolean {
  const reading = readCell(part, (value) => readCompany(value, country));
  return reading.kind === "value" && "name" in reading.value;
}

/** The text of one company, which is not parted at its commas. */
const toWhole = (text: string) => ({ type: "String", basicType: "String", basicValue: text });
