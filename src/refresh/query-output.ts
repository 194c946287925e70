import type { XlsxValue } from "../xlsx/sheet";
import type { Failure } from "./results";

export type Format = "csv" | "json" | "table";

/** The facts of a figure. */
export interface Facts {
  currency: string | null;
  periodEnd: string | null;
  statementType: string | null;
  consolidationType: string | null;
  year: number | string | null;
  /** By which the formula has divided it; null for none. */
  unit: unknown;
  /** When the provider gave it, ISO 8601. */
  asOf: string | null;
}

/** The result of one formula. */
export interface QueryResult {
  /** With "=". */
  formula: string;
  /** None where it failed without a value. */
  rows: readonly (readonly XlsxValue[])[];
  /** Null where it has a value. */
  error: Failure | null;
  /** In the places of the values; null where none is a figure as the provider has it. */
  facts: readonly (readonly (Facts | null)[])[] | null;
  /** When the provider gave its oldest answer, ISO 8601; null without an answer. */
  asOf: string | null;
}

/** Where the results come from. */
interface Source {
  /** Its base URL; "sample" for sample data. */
  provider: string;
  client: string | null;
  sample: boolean;
  requests: number;
}

/** Gives the output of the results, without the line feed at its end. */
export function toText(results: readonly QueryResult[], format: Format, source: Source): string {
  if (format === "json") return JSON.stringify({ ...source, results: results.map(toJson) }, null, 2);
  const isOne = results.length === 1;
  const toBlock = format === "csv" ? toCsv : toTable;
  const blocks = results.map(({ formula, rows }) => {
    return isOne || format === "csv" ? toBlock(rows) : [formula, toBlock(rows)].filter(Boolean).join("\n");
  });
  return format === "csv" ? `${blocks.join("\r\n\r\n")}\r` : blocks.join("\n\n");
}

const toJson = ({ formula, rows, error, facts, asOf }: QueryResult) => ({
  ...{ formula, rows, error, asOf },
  ...(facts && { facts }),
});

/** RFC 4180. */
const toCsv = (rows: QueryResult["rows"]): string => rows.map((row) => row.map(toField).join(",")).join("\r\n");

function toField(value: XlsxValue): string {
  const text = toShown(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function toShown(value: XlsxValue): string {
  if (value === null) return "";
  if (typeof value === "boolean") return value ? "TRUE" : "FALSE";
  return typeof value === "object" ? value.error : String(value);
}

const GAP = "  ";

function toTable(rows: QueryResult["rows"]): string {
  const texts = rows.map((row) => row.map((value) => toShown(value).replaceAll(/\s+/g, " ")));
  const widths = (texts[0] ?? []).map((_, column) => Math.max(...texts.map((row) => toWidth(row[column] ?? ""))));
  return texts
    .map((row, r) =>
      row
        .map((text, column) => {
          const filler = " ".repeat((widths[column] ?? 0) - toWidth(text));
          return typeof rows[r]?.[column] === "number" ? filler + text : text + filler;
        })
        .join(GAP)
        .trimEnd(),
    )
    .join("\n");
}

/** Characters that take two columns of a terminal. */
const WIDE = /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6]/gu;
const COMBINING = /\p{Mn}/gu;

const toWidth = (text: string): number =>
  [...text].length + (text.match(WIDE)?.length ?? 0) - (text.match(COMBINING)?.length ?? 0);
