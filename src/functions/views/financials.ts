import { ArgumentError } from "../../client/errors";
import { msg } from "../../client/messages";
import type { Financials } from "../../feed/decode";
import { FINANCIAL_FIELDS } from "../../feed/field-tables";
import { toEnglish } from "../../feed/financials/japanese";
import { isYearFact } from "../../feed/financials/metrics";
import type { Answer } from "../../feed/query-cache";
import { session } from "../../session/current";
import { type Argument, type Given, readChoice, readNames, readUnit } from "../arguments";
import { assertMayFit } from "../cells";
import { CURES } from "../figures";
import { toOptions } from "../financial-arguments";
import { createQueries } from "../grid";
import type { Settled, View } from "../view-observer";
import {
  type CompanyAnswer,
  type FinancialsTableOptions,
  LEADING_COLUMNS,
  toLongTable,
  toStatementTable,
  toWideTable,
} from "./financial-tables";
import { type GivenCompany, readCompanies, readMetrics, readYears } from "./financials-arguments";
import { readHeaders } from "./table";

type GivenTable = Given<"companies" | "years" | "metrics" | "layout" | "basis" | "unit" | "headers">;

const LAYOUTS = ["wide", "statement", "long"] as const;

/** Opens FEED.FINANCIALS. @throws ArgumentError (FEED_ARGUMENT_INVALID) */
export function openTable({ companies, years, metrics, layout, basis, unit, headers }: GivenTable): View {
  const { dateSystem } = session.settings;
  const given = readCompanies(companies, session.settings.country);
  const chosen = readChoice(layout, "layout", LAYOUTS, "wide");
  return openLayout(given, chosen, {
    metrics: readMetrics(toEnglish("metric", metrics)),
    years: readYears(years, dateSystem),
    basis: readNames(toEnglish("basis", basis), "basis") ?? [],
    ...readUnit(toEnglish("unit", unit)),
    headers: readHeaders(headers),
  });
}

function openLayout(
  given: readonly GivenCompany[],
  layout: (typeof LAYOUTS)[number],
  options: FinancialsTableOptions,
): View {
  const { years, metrics } = options;
  if (layout === "statement" && given.length > 1) {
    throw new ArgumentError(
      msg`layout "statement" shows one company, and companies has ${given.length}; give one, or the layout "wide" or "long"`,
    );
  }
  const fact = layout === "long" ? metrics?.find(isYearFact) : undefined;
  if (fact !== undefined) {
    throw new ArgumentError(msg`metrics has "${fact}", which is a column of the layout "long"; leave it out`);
  }
  const inWide = (years?.length ?? 1) * (LEADING_COLUMNS.length + (metrics?.length ?? 0));
  assertMayFit(given.length * (layout === "long" ? FINANCIAL_FIELDS.length : inWide), CURES);
  const queries = createQueries<Financials>();
  const wanted = toOptions(years, metrics);
  const places = given.map(({ reading }) =>
    reading.kind === "value" ? queries.add(session.feed.financials.query(reading.value, wanted)) : null,
  );
  return {
    queries: queries.list,
    show(settled) {
      const companies = given.map((company, index) => toCompanyAnswer(company, settled[places[index] ?? -1]));
      if (layout === "wide") return toWideTable(companies, options);
      if (layout === "long") return toLongTable(companies, options);
      return toStatementTable(companies[0] as CompanyAnswer, options);
    },
  };
}

function toCompanyAnswer({ given, reading }: GivenCompany, settled: Settled | undefined): CompanyAnswer {
  if (reading.kind === "error") return { given, error: reading.error };
  if (settled?.status !== "answered") return { given, error: settled?.error };
  return { given, answer: settled.answer as Answer<Financials> };
}

type Named = Readonly<Record<"metric" | "basis" | "unit", Argument>>;

/** Gives an opener that takes the Japanese names of metrics, versions and units too. */
export const withJapanese =
  <Given extends Named, Opened>(open: (given: Given) => Opened) =>
  (given: Given): Opened =>
    open({
      ...given,
      metric: toEnglish("metric", given.metric),
      basis: toEnglish("basis", given.basis),
      unit: toEnglish("unit", given.unit),
    });
