import { toCompanyKey } from "../../client/ids";
import { type FinancialYear, type Row, readText } from "../../feed/decode";
import type { Candidate } from "../../feed/financials/metrics";
import { isInterim } from "../../feed/financials/periods";
import type { Query } from "../../feed/query-cache";
import type { Resolution } from "../../feed/resolutions";
import type { Call, Origin, Shown } from "../../session/calls";
import { createNames } from "../company-search";
import { toShownMetric } from "../metric-names";
import type { PaneContext } from "../pane";
import type { Texts } from "../texts";
import { toTime } from "../texts/quantities";
import { type KnownQuery, listResolutions, type Provenance, readProvenance } from "./provenance";

/** What the line is made of. */
export interface LineFacts {
  known: Pick<KnownQuery, "query" | "state">;
  /** Null where the cell shows no single part of the answer. */
  origin: Origin | null;
  /** The formula's unit, as the host passed it; undefined without one. */
  unit: unknown;
  /** Names companies without a request, also by the record that the cell shows. */
  names: ReturnType<typeof createNames>;
  /** What the company's name in the formula resolved to; null where it has none. */
  resolution: Resolution | null;
  nowMs: number;
}

/** Tells the origin of a value in a line: company, figure, period, amount, version and time; null without an answer. */
export function toLine({ known, origin, unit, names, resolution, nowMs }: LineFacts, texts: Texts): string | null {
  const { query, state } = known;
  if (state.status !== "answered") return null;
  const { ofProvenance } = texts;
  const answer = Object(state.answer.value) as Row;
  const { record, field } = origin ?? {};
  const company = toCompany(record ?? answer, { names, resolution });
  const parts = [
    company ?? toQueryWords(query, texts).title,
    ...toFigureParts(origin, unit, texts),
    field,
    toRange(query.key),
    ofProvenance.fetchedAt(toTime(state.answer.asOfMs, nowMs, texts.language)),
  ];
  return parts.filter((part) => typeof part === "string" && part !== "").join(" · ");
}

type Pane = Pick<PaneContext, "session" | "texts">;

/** Tells where a formula's value comes from; null without an answer, or with several. @param unit as the host passed it */
export function readLine({ error, origin, queries }: Provenance, unit: unknown, { session, texts }: Pane) {
  const [known, ...others] = queries;
  if (error !== null || known === undefined || others.length > 0) return null;
  const [resolution = null] = listResolutions(queries, session);
  const names = createNames(session, texts);
  return toLine({ known, origin, unit, names, resolution, nowMs: session.ports.nowMs() }, texts);
}

/** The same of a formula without a cell; of several values the currencies of their figures, and the unit. */
export function toPreviewLine({ call, shown }: { call: Call; shown: Shown }, pane: Pane): string | null {
  const { unit } = call.given;
  const isOne = [shown].flat(2).length === 1;
  const at = isOne ? { row: 0, column: 0 } : null;
  const provenance = readProvenance({ call, at }, pane.session, { sharing: new Map() });
  if (isOne) return readLine(provenance, unit, pane);
  const answers = provenance.queries.map(
    ({ piece }) => piece?.value as { years?: readonly FinancialYear[] } | undefined,
  );
  const years = answers.flatMap((answer) => answer?.years ?? []);
  const currencies = new Set(years.flatMap(({ fields }) => readText(fields.currency) ?? []));
  const divisor = toUnit(unit, pane.texts.language);
  return currencies.size === 0 ? null : `${[...currencies].join(", ")}${divisor === null ? "" : ` ÷ ${divisor}`}`;
}

/** The company's name that is known without a request, else the one that a name resolved to, else its id; null for no company. */
function toCompany(row: Row, { names, resolution }: Pick<LineFacts, "names" | "resolution">) {
  const id = readText(row.companyId) ?? readText(row.id);
  if (id === null) return null;
  const isResolved = resolution !== null && toCompanyKey(resolution.companyId) === toCompanyKey(id);
  return names(id, row) ?? (isResolved ? resolution.companyName : id);
}

function toFigureParts(origin: Origin | null, unit: unknown, texts: Texts): string[] {
  const { places = [], rowPlaces = [] } = origin ?? {};
  const [place] = places;
  if (place !== undefined) {
    return [
      toShownMetric(place.name, texts),
      toYear(place, texts),
      toAmount(place, unit, texts),
      toVersion(place, texts),
    ];
  }
  const [first] = rowPlaces;
  const isOfOneYear = rowPlaces.every(({ year }) => year === first?.year);
  return first === undefined || !isOfOneYear ? [] : [toYear(first, texts)];
}

/** The fiscal year with its end, and the period where it is a part of a year. */
function toYear({ year }: Candidate, { ofProvenance, language }: Texts): string {
  const { period, financialPeriodEnd } = year.fields;
  const endMs = Date.parse(String(financialPeriodEnd).slice(0, 10));
  const options = { day: "numeric", month: "short", year: "numeric", timeZone: "UTC" } as const;
  const end = Number.isNaN(endMs) ? null : new Date(endMs).toLocaleDateString(DATES[language], options);
  return ofProvenance.year(year.year, isInterim(year) ? readText(period) : null, end);
}

/** English dates begin with the day, which leaves no doubt. */
const DATES = { en: "en-GB", ja: "ja" } as const;

/** The amount as the provider gave it, and the unit that divides it; a fact's text has none. */
function toAmount({ value, year }: Candidate, unit: unknown, { language }: Texts): string {
  const amount = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  if (typeof amount !== "number" || Number.isNaN(amount)) return String(value);
  const divisor = toUnit(unit, language);
  const shown = amount.toLocaleString(language, { maximumSignificantDigits: 15 });
  return [readText(year.fields.currency), shown, divisor && `÷ ${divisor}`].filter(Boolean).join(" ");
}

/** A unit as a divisor: "1m" for "m", "1,000" for 1000; null where it divides by nothing. */
function toUnit(unit: unknown, language: string): string | null {
  const written = [unit].flat(2)[0];
  if (written === undefined || written === null || written === "" || Number(written) === 1) return null;
  if (Number.isFinite(Number(written))) return Number(written).toLocaleString(language);
  const size = String(written)
    .replace(/円$|\b[a-z]{3}\b/gi, "")
    .trim();
  return /^(k|m|bn)$/i.test(size) ? `1${size.toLowerCase()}` : size || null;
}

function toVersion({ consolidationType }: Candidate, { ofProvenance }: Texts): string {
  const versions: Readonly<Record<string, string>> = ofProvenance.versions;
  return versions[consolidationType] ?? consolidationType;
}

/** The days of a ranking. */
function toRange([kind, start, end]: readonly unknown[]): string | null {
  if (!String(kind).startsWith("rank") || typeof start !== "string" || typeof end !== "string") return null;
  return `${start.slice(0, 10)} – ${end.slice(0, 10)}`;
}

/** A query in words: its subject, and its parameters by their names in the API. */
interface QueryWords {
  title: string;
  parameters: readonly string[];
}

/** Names of the values after a key's first word; an object's values have their own names. */
const PARAMETERS: Readonly<Record<string, readonly string[]>> = {
  financials: ["company", "year"],
  rankCompanies: ["start_datetime", "end_datetime", "rows"],
  rankCompanyPages: ["start_datetime", "end_datetime", "rows"],
  rankIndustries: ["start_datetime", "end_datetime", "rows"],
  getCompany: ["companyId"],
  searchCompanies: ["filter", "rows"],
  universe: ["filter", "rows"],
  constituents: ["node", "filter", "show_all_industries", "rows"],
  peers: ["company", "level", "filter", "rows"],
  getTaxonomyCompany: ["companyId"],
  findNames: ["country", "text", "rows"],
  matchNames: ["country", "names"],
};

/** Puts a query's key into words. */
export function toQueryWords({ key }: Pick<Query<unknown>, "key">, { ofProvenance }: Texts): QueryWords {
  const [kind, ...values] = key;
  const names = PARAMETERS[String(kind)] ?? [];
  const titles: Readonly<Record<string, string>> = ofProvenance.queries;
  return {
    title: titles[String(kind)] ?? String(kind),
    parameters: names.flatMap((name, index) => toParameters(name, values[index] ?? null)),
  };
}

function toParameters(name: string, value: unknown): string[] {
  if (value === null || value === undefined) return name === "year" ? ["year: all"] : [];
  if (typeof value !== "object") return [`${name}: ${value}`];
  return Object.entries(value).flatMap(([own, each]) => toParameters(OWN_NAMES[own] ?? own, each));
}

/** Names of the API that differ from ours. */
const OWN_NAMES: Readonly<Record<string, string>> = { companyType: "company_type", registrationNumber: "identifier" };
