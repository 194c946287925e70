import { NoValueError } from "../feed/errors";
import { FINANCIAL_FIELDS } from "../feed/field-tables";
import { pickField } from "../feed/fields";
import { findMetrics, listFigures, listMetrics } from "../feed/financials/metric-lists";
import { type Candidate, readNumber, toBases } from "../feed/financials/metrics";
import { assertMayFit, Figure, type Table } from "./cells";
import {
  type Answered,
  assertAnswered,
  type CompanyAnswer,
  CURES,
  type FinancialsTableOptions,
  isAbsence,
  isAnswered,
  listYears,
  toErrorRow,
  toFinancials,
  toFinancialsTable,
} from "./financial-answers";
import { toFieldValue } from "./table";
import { pickYear } from "./years";

/** Lists the numbers of companies, a row for each with all that the answer says of it, in every version. */
export function toLongTable(companies: readonly CompanyAnswer[], options: FinancialsTableOptions): Table {
  assertAnswered(companies, options.years);
  const metrics = listMetrics(toFinancials(companies));
  for (const name of options.metrics ?? []) findMetrics(name, metrics); // one that nobody has is a slip of the pen
  const header = FINANCIAL_FIELDS.map((field) => field.header);
  const rows: unknown[][] = [];
  let isMissing = false;
  let isFound = false;
  for (const company of companies) {
    const own = isAnswered(company) ? toRows(company, options) : [toErrorRow(company, header.length)];
    if (own.length > 0) isFound = true;
    else if (isAnswered(company)) {
      isMissing ||= listYears(company, options.years).length > 0;
      own.push([company.given, company.answer.value.companyId]);
    }
    for (const row of own) rows.push(row); // a call has no room for all of them
    assertMayFit(rows.length * header.length, CURES);
  }
  if (isMissing && !isFound) throw toNoNumber(companies.filter(isAnswered), options);
  return toFinancialsTable(header, rows, options);
}

/** The rows of one company's numbers, or one of its error where it cannot be told which year is meant. */
function toRows(company: Answered, options: FinancialsTableOptions): unknown[][] {
  try {
    return listOwn(company, options).map((figure) => toRow(company, figure, options));
  } catch (error) {
    return [toErrorRow({ given: company.given, error }, FINANCIAL_FIELDS.length)];
  }
}

function listOwn(company: Answered, { years, metrics, basis }: FinancialsTableOptions): Candidate[] {
  const { value } = company.answer;
  const named = listYears(company, years).flatMap((year) => {
    try {
      return [pickYear(value, year)];
    } catch (error) {
      if (isAbsence(error)) return [];
      throw error;
    }
  });
  return listFigures(value, { years: named, names: metrics, basis });
}

const VALUE = FINANCIAL_FIELDS.at(-1);

function toRow({ given, answer }: Answered, figure: Candidate, options: FinancialsTableOptions): unknown[] {
  const { year, statementType, consolidationType, name } = figure;
  const statements = { statementType, consolidationType, metrics: { name } };
  const record = {
    company: given,
    companyId: answer.value.companyId,
    years: { ...year.fields, year: year.year, statements },
  };
  return FINANCIAL_FIELDS.map((field) =>
    field === VALUE
      ? showNumber(figure, options.divisor)
      : toFieldValue(pickField(record, field.name), field, options.dateSystem),
  );
}

function showNumber(figure: Candidate, divisor: number): unknown {
  const show = (value: unknown) => new Figure(value, [figure]);
  try {
    return show(readNumber(figure, figure.year.year) / divisor);
  } catch (error) {
    return isAbsence(error) ? show("") : error;
  }
}

/** Why there is not a single number: a basis that none has, or years without any. */
function toNoNumber(companies: readonly Answered[], options: FinancialsTableOptions): NoValueError {
  const others = companies.flatMap((company) => listOwn(company, { ...options, basis: [] }));
  const bases = [...new Set(others.flatMap(toBases))].join(", ");
  const reason =
    bases === ""
      ? "the provider has no such numbers; ask for other years, metrics or companies"
      : `no number has the basis "${options.basis.join(", ")}"; give one of ${bases}`;
  return new NoValueError("FEED_NO_VALUE", reason);
}
