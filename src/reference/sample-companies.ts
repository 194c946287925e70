/** Companies of the sample data, by the names that the examples use. */
export const SAMPLE_COMPANIES = ["Komorebi Education Inc.", "Yuzuriha Energy Corporation"] as const;

/** A quoted text that names only sample companies. */
const QUOTED = /"([^"]*)"/g;

/** Puts cell A2 in the place of the sample data's companies, for other providers. */
export const withoutSampleCompanies = (formula: string): string =>
  formula.replace(QUOTED, (quoted, text: string) => (isSampleCompanies(text) ? "A2" : quoted));

const isSampleCompanies = (text: string): boolean =>
  text !== "" && text.split(",").every((name) => SAMPLE_COMPANIES.some((known) => known === name));
