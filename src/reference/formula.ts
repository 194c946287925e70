import type { FeedCode } from "../client/errors";
import type { Field } from "../feed/fields";
import type { Text } from "./texts";

/** A formula that works on sample data, and its result in words. */
interface Example {
  formula: string;
  shows: Text;
}

/** An argument, beside its English text, which stands above the formula itself. */
export interface ArgumentReference {
  /** Its text in Japanese. */
  ja: string;
  /** The accepted values. */
  accepts: Text;
  /** What holds without it; absent for a required one. */
  leftOut?: Text;
  /** The id of the enumeration that it proposes. */
  values?: string;
}

/** The reference of a formula, beside its English text, which stands above the formula itself. */
export interface FormulaReference {
  /** Its text in Japanese. */
  ja: string;
  /** What somebody wants to know who needs it. */
  want: Text;
  /** Its result, in a few words. */
  gives: Text;
  /** By name, in their order. */
  arguments: Readonly<Record<string, ArgumentReference>>;
  /** Its cost in requests. */
  requests: Text;
  examples: readonly Example[];
  /** The errors it can give besides those of the connection. */
  errors: readonly FeedCode[];
  /** The fields it can show. */
  fields?: readonly Field[];
  /** What else a reader must know, below the fields. */
  sections?: readonly Section[];
}

/** A part of a formula's page. */
export interface Section {
  /** Its place on the page, "#states". */
  id: string;
  title: Text;
  paragraphs: readonly Text[];
  table?: { headings: readonly Text[]; rows: readonly (readonly Text[])[] };
}

/** The errors of formulas that look up a company or a node. */
export const LOOKUP_ERRORS: readonly FeedCode[] = [
  "FEED_ARGUMENT_INVALID",
  "FEED_NO_VALUE",
  "FEED_AMBIGUOUS",
  "FEED_NOT_FOUND",
  "FEED_REQUEST_INVALID",
  "FEED_RESULT_TOO_LARGE",
];

/** The cost of a list in requests. */
export const LIST_REQUESTS: Text = {
  en: "one per 1,000 rows, and one more if the last page is full",
  ja: "1,000 行につき 1 回。最終ページがちょうど 1,000 行の場合は追加で 1 回",
};
