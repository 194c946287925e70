import { ArgumentError } from "../../client/errors";
import { msg } from "../../client/messages";
import { PAGE_TYPES } from "../../contract/parameter-values";
import type { Row } from "../../feed/decode";
import { findField, STATISTIC_FIELDS, toPageFields, toPageName } from "../../feed/field-tables";
import type { Field } from "../../feed/fields";
import { type Argument, quote, readText } from "../arguments";

/** A page type of a ranking. */
interface PageType {
  /** As the answer's `pages` are keyed. */
  key: string;
  /** False for a type beyond the document's 18, which only the answer can confirm. */
  isListed: boolean;
}

const toTypeField = (key: string): Field => ({ name: key, header: toPageName(key), kind: "number" });

const LISTED = PAGE_TYPES.map(toTypeField);

/**
 * A page type by its key or readable name ("STOCK_PRICES", "stock prices", "M&A"); null when not given.
 *
 * @throws ArgumentError (FEED_ARGUMENT_INVALID) where it cannot be one
 */
export function readPageType(argument: Argument): PageType | null {
  const text = readText(argument, "pagetype");
  if (text === null) return null;
  const words = text.replaceAll("-", " ");
  const listed = findField(words, LISTED, []);
  if ("name" in listed) return { key: listed.name, isListed: true };
  const key = words.toUpperCase().replace(/[\s_]+/g, "_");
  if (!/^[A-Z]\w*$/.test(key)) throw toNoType(text, LISTED);
  return { key, isListed: false };
}

/** The columns of a ranking by one page type, or by all. */
export function toPageColumns(type: PageType | null): string[] {
  const company = ["rank", "companyName", "tickerSymbol", "headquarters"];
  if (type !== null) return [...company, ...toPageFields(type.key).map(({ name }) => name)];
  const pageViews = PAGE_TYPES.map((key) => `pages.${key}.totalPageViews`);
  return [...company, "totalPageViews", ...pageViews];
}

/**
 * The field that a name means beside a page type: a statistic's plain name means that type's, with `allPages.`
 * before it the one over all pages. Without a page type both mean the one over all pages.
 */
export function toPageFieldName(name: string, type: PageType | null): string {
  const [, overall] = /^allPages\.(.+)$/i.exec(name) ?? [];
  const statistic = findField(overall ?? name, STATISTIC_FIELDS, []);
  if (!("name" in statistic)) return overall ?? name;
  return overall === undefined && type !== null ? `pages.${type.key}.${statistic.name}` : statistic.name;
}

/** A page type that is null was not viewed at all (§2.6); one that is missing is unknown. */
const NOT_VIEWED = { totalPageViews: 0, totalUniquePageViews: 0 };

const pagesOf = ({ pages }: Row): Row => (typeof pages === "object" && pages !== null ? (pages as Row) : {});

/**
 * Replaces null by the zeros that it means.
 *
 * @throws ArgumentError (FEED_ARGUMENT_INVALID) where the answer does not have a type beyond the document's
 */
export function toPageRows(rows: readonly Row[], type: PageType | null): readonly Row[] {
  if (type?.isListed === false && !rows.some((row) => Object.hasOwn(pagesOf(row), type.key))) {
    const keys = new Set([...PAGE_TYPES, ...rows.flatMap((row) => Object.keys(pagesOf(row)))]);
    throw toNoType(type.key, [...keys].map(toTypeField));
  }
  return rows.map((row): Row => ({ ...row, pages: toPages(pagesOf(row)) }));
}

/** By the statistics that came: a list is laid out for each formula over it. */
const allPages = new WeakMap<Row, Row>();

function toPages(pages: Row): Row {
  const known =
    allPages.get(pages) ?? Object.fromEntries(Object.entries(pages).map(([key, value]) => [key, value ?? NOT_VIEWED]));
  allPages.set(pages, known);
  return known;
}

function toNoType(text: string, types: readonly Field[]): ArgumentError {
  const found = findField(text, types, []);
  const closest = "closest" in found ? found.closest : found.name;
  return new ArgumentError(
    msg`pagetype must be a page type such as "NEWS", not ${quote(text)}; the closest is "${closest}"`,
  );
}
