import { session } from "../session/current";
import { type Argument, readCell, readCompany, splitSingle, toRange } from "./arguments";
import { readAnswer, type View } from "./view-observer";

/**
 * Opens a formula that takes several companies. A single text with commas may be one company's name, which the index of
 * names says, so that the formula's view follows that answer; numbers and ids are a list without it.
 *
 * @param name the argument that has the companies
 */
export function opensListed<Name extends string, Given extends Record<Name, Argument>>(
  name: Name,
  open: (given: Given) => View,
): (given: Given) => View {
  return (given) => {
    const range = toRange(given[name]);
    const parts = splitSingle(range) ?? [];
    const { country } = session.settings;
    if (!parts.some((part) => isName(part, country))) return open(given);
    const text = String(range[0]?.[0]).trim();
    const openAs = (companies: readonly string[]) =>
      open({ ...given, [name]: companies.map((each) => [toWhole(each)]) });
    openAs([text]); // other arguments that are invalid need no index
    const query = session.feed.names.querySplit(text, country);
    return {
      queries: [query],
      rereadsOnRefresh: false,
      show: () => null,
      follow: (settled) => openAs(settled === undefined ? parts : readAnswer<string[]>(settled[0])),
    };
  };
}

function isName(part: string, country: string): boolean {
  const reading = readCell(part, (value) => readCompany(value, country));
  return reading.kind === "value" && "name" in reading.value;
}

/** The text of one company, which is not parted at its commas. */
const toWhole = (text: string) => ({ type: "String", basicType: "String", basicValue: text });
