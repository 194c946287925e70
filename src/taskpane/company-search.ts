import { useEffect, useMemo, useState, useSyncExternalStore } from "react";
import { FeedError } from "../client/errors";
import { type Row, readText } from "../feed/decode";
import { readCountryPrefix } from "../feed/names/country-prefix";
import type { FoundNames } from "../feed/names/lookup";
import { listPreferred } from "../feed/names/preferred";
import type { NameSource } from "../feed/names/rows";
import type { Session } from "../session/session";
import type { Settings } from "../session/settings";
import { type ChosenCompany, usePane } from "./pane";
import { useLastKnown } from "./query";
import type { Texts } from "./texts";

/** A search pauses as long as between two keys of a quick typist. */
export const PAUSE_MS = 120;

/** A search's result; while the person types on, the result of the text before. */
export interface SearchedCompanies {
  /** The searched text, without a country before it, and the country. */
  text: string;
  country: string;
  companies: readonly FoundCompany[];
  /** False when more companies match than are shown. */
  isAll: boolean;
  /** How many matching companies the needed family lacks; they are not shown. */
  leftOut: number;
  /** Whether it belongs to the field's present text. */
  isCurrent: boolean;
  /** Why the search failed; null also where no company matches. */
  error: unknown;
}

interface Wanted {
  text: string;
  /** Whether an input method is composing a letter. */
  isComposing: boolean;
  country: string;
  /** Most companies shown. */
  most: number;
  /** The data family that must have a company, as the financials; default any. */
  needs?: NameSource | undefined;
}

/** Searches companies while a person types; null without a text or a result. */
export function useSearch({ text, isComposing, country, most, needs }: Wanted): SearchedCompanies | null {
  const { session } = usePane();
  const language = useNameLanguage();
  const wanted = useSettled(text.trim(), isComposing);
  const query = useMemo(() => {
    if (wanted === "") return null;
    const { text, country: searched } = readCountryPrefix(wanted, country);
    return { wanted, text, country: searched, ...session.feed.names.query(text, searched, most + 1, needs) };
  }, [session, wanted, country, most, needs]);
  const known = useLastKnown(query);
  if (known === null || known.state.status === "pending") return null;
  const { state } = known;
  const of = known.query as NonNullable<typeof query>;
  const isCurrent = of === query && wanted === text.trim();
  const place = { text: of.text, country: of.country, isCurrent };
  if (state.status === "failed") return { ...place, ...toNobody(state.error) };
  return { ...place, ...toShown(state.answer.value, most, language), error: null };
}

/** The name of one company of the sample data, which has both figures and a classification. */
export const SAMPLE_COMPANY = "Komorebi Education Inc.";

/** Whether the companies are those of the sample data. */
export function useIsSample(): boolean {
  const { session } = usePane();
  return useSyncExternalStore(session.subscribe, () => session.state().configuration?.sample === true);
}

/** The text after a pause in typing; an empty text at once. */
function useSettled(text: string, isComposing: boolean): string {
  const { after } = usePane().session.ports;
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    if (!isComposing) return after(text === "" ? 0 : PAUSE_MS, () => setSettled(text));
  }, [after, text, isComposing]);
  return settled;
}

/** The language of the names in the pane: its own unless the workbook's setting chooses one. */
export const toNameLanguage = ({ companyNames }: Settings, { language }: Pick<Texts, "language">): "en" | "ja" =>
  companyNames === "provider" ? language : companyNames;

export function useNameLanguage(): "en" | "ja" {
  const { session, texts } = usePane();
  return useSyncExternalStore(session.subscribe, () => toNameLanguage(session.settings, texts));
}

function toShown({ rows, leftOut }: FoundNames, most: number, language: "en" | "ja") {
  const companies = rows.slice(0, most).flatMap((row) => readFound(row, language) ?? []);
  return { companies, isAll: rows.length <= most, leftOut };
}

function toNobody(error: unknown) {
  const isAnswer = error instanceof FeedError && error.code === "FEED_NO_VALUE";
  return { companies: [], isAll: true, leftOut: 0, error: isAnswer ? null : error };
}

/** A company of the index of names. */
export interface FoundCompany extends ChosenCompany {
  /** The name that comes next; null where there is only one. */
  otherName: string | null;
  country: string | null;
  /** The place of its seat. */
  city: string | null;
  ticker: string | null;
  registrationNumber: string | null;
  /** Whether the index has it from the private-market data. */
  isPrivate: boolean;
}

/** Reads a company of the index; null where it has no id. */
export function readFound(row: Row, language: "en" | "ja"): FoundCompany | null {
  const id = readText(row.companyId);
  if (id === null) return null;
  const [name = id, otherName = null] = listPreferred(row, language);
  return {
    id,
    name,
    otherName,
    country: readText(row.countryCode),
    city: readText(row.city),
    ticker: readText(row.tickerSymbol),
    registrationNumber: readText(row.registrationNumber),
    isPrivate: readText(row.families)?.includes("private" satisfies NameSource) === true,
  };
}

/** Id of the element that shows a company's id, which is selected where copying is denied. */
export const toIdElement = (id: string): string => `company-${id}`;

/** Returns a function that names companies by their cached records, and by a record at hand, without a request. */
export function createNames({ feed, settings }: Session, texts: Texts) {
  const names = new Map<string, string | undefined>();
  const find = (companyId: string, row: Row) => {
    const states = [feed.companies.query(companyId), feed.taxonomies.query({ companyId })].map(feed.queryCache.peek);
    const rows = states.flatMap((state) => (state.status === "answered" ? [state.answer.value] : []));
    return listPreferred(Object.assign({}, ...rows, row), toNameLanguage(settings, texts))[0];
  };
  return (companyId: string, row: Row = {}): string | undefined => {
    if (!names.has(companyId)) names.set(companyId, find(companyId, row));
    return names.get(companyId);
  };
}
