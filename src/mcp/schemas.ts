/** A JSON Schema. */
export type Schema = Readonly<Record<string, unknown>>;

/** The part of an answer's rows that is wanted. */
export interface Page {
  /** The first row, from 0; default 0. */
  offset?: number;
  /** The number of rows; default as many as fit. */
  limit?: number;
}

/** The arguments of every tool that gives rows. */
export const PAGE: Readonly<Record<keyof Page, Schema>> = {
  offset: { type: "integer", minimum: 0 },
  limit: { type: "integer", minimum: 1, maximum: 1000 },
};

/** The structured content of every answer. */
export const OUTPUT: Schema = {
  type: "object",
  properties: {
    columns: { type: "array" },
    rows: { type: "array" },
    total: { type: "integer" },
    formulas: { type: "array" },
    source: { type: "object" },
    error: { type: "object" },
  },
};

/** The schema of a text, of at most so many characters. */
export const toTextSchema = (description: string, maxLength: number): Schema => ({
  type: "string",
  maxLength,
  description,
});

/** The schema of a list of texts, of at most so many. */
export const toTextsSchema = (description: string, maxItems: number): Schema => {
  return { type: "array", items: { type: "string" }, maxItems, description };
};

export const COMPANY = toTextSchema("Company id, or its whole name, ticker or number", 200);

export const COUNTRY: Schema = {
  type: "string",
  pattern: "^[A-Z]{3}$",
  description: "Such as JPN, or ALL; default JPN",
};
