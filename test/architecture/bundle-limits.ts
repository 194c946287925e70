const KB = 1024;

/** Compressed size limits of the scripts, in bytes. */
export const LARGEST_GZIP_BYTES = {
  functions: 53.75 * KB,
  /** taskpane.js, which each workbook with formulas loads beside functions.js. */
  taskpane: 8.25 * KB,
  /** The script of the pane, which loads when the pane is first shown. */
  pane: 197.25 * KB,
  /** All three, which an open pane needs. */
  page: 258.5 * KB,
  worker: 10 * KB,
  /** The matcher of lists of names with its words, which the worker loads for the first list. */
  matching: 18.5 * KB,
  /** The worker that checks the model: the grammar of Excel's formulas and the rules. */
  check: 24 * KB,
  chunk: 30 * KB,
  /** Microsoft's library for Office tokens, loaded only to sign a person in with them. */
  officeToken: 70 * KB,
} as const;
