import { NoValueError } from "../client/errors";
import { FINANCIAL_FIELDS } from "../feed/field-tables";
import { pickField } from "../feed/fields";
import { findMetrics, listFigures } from "../feed/financials/metric-lists";
import { type Candidate, readNumber, toBases } from "../feed/financials/metrics";
import { listTexts } from "../feed/financials/names";
import { isInterim, toInterimText } from "../feed/financials/periods";
import { assertMayFit, Figure, type Table } from "./cells";
import {
  type Answered,
  assertAnswered,
  type CompanyAnswer,
  CURES,
  type FinancialsTableOptions,
  isAbsence,
  isAnswered,
  listChoices,
  listKnown,
  toErrorRow,
  toFinancialsTable,
} from "./financial-answers";
import { toFieldValue } from "./table";
import { pickYear } from "./years";

/** Lists the numbers of companies, a row for each with all that the answer says of it, in every version of its period. */
export function toLongTable(companies: readonly CompanyAnswer[], options: FinancialsTableOptions): Table {
  assertAnswered(companies, options);
  const metrics = listKnown(companies);
  for (const name of options.metrics ?? []) findMetrics(name, metrics); // one that nobody has is a slip of the pen
  const header = FINANCIAL_FIELDS.map((field) => field.header);
  const rows: unknown[][] = [];
  let isMissing = false;
  let isFound = false;
  for (const company of companies) {
    const own = isAnswered(company) ? toRows(company, options) : [toErrorRow(company, header.length)];
    if (own.length > 0) isFound = true;
    else if (isAnswered(company)) {
      isMissing ||= listChoices(company, options).length > 0;
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

function listOwn(company: Answered, options: FinancialsTableOptions): Candidate[] {
  const { metrics: names, basis } = options;
  return listFigures(company.answer.value, { years: listNamed(company, options), names, basis });
}

/** The fiscal years that the choices mean. */
function listNamed(company: Answered, options: FinancialsTableOptions): number[] {
  return listChoices(company, options).flatMap((year) => {
    try {
      return [pickYear(company.answer.value, year, options.basis)];
    } catch (error) {
      if (isAbsence(error)) return [];
      throw error;
    }
  });
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

/** Why there is not a single number: interim ones alone, a basis that none has, or years without any. */
function toNoNumber(companies: readonly Answered[], options: FinancialsTableOptions): NoValueError {
  const others = companies.flatMap((company) => listOwn(company, { ...options, basis: [] }));
  const bases = [...new Set(others.flatMap(toBases))].join(", ");
  const interim = companies.flatMap((company) => {
    const years = listNamed(company, options);
    return company.answer.value.years.filter((version) => years.includes(version.year) && isInterim(version));
  });
  let reason = "the provider has no such numbers; ask for other years, metrics or companies";
  if (bases !== "") reason = `no number has the basis "${options.basis.join(", ")}"; give one of ${bases}`;
  else if (interim.length > 0) reason = toInterimText(listTexts(interim.map(({ year }) => String(year))), interim);
  return new NoValueError("FEED_NO_VALUE", reason);
}
