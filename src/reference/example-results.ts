import results from "./results.json";
import type { Language } from "./texts";

/** What an example shows on the sample data. */
export interface ExampleResult {
  /** Its first cells, as they are displayed. */
  cells: readonly (readonly string[])[];
  /** The size of the whole result. */
  rows: number;
  columns: number;
}

const RESULTS: Readonly<Record<Language, Readonly<Record<string, ExampleResult>>>> = results;

/** Finds what an example shows; undefined where it changes from day to day. */
export const findResult = (formula: string, language: Language): ExampleResult | undefined =>
  RESULTS[language][formula];
