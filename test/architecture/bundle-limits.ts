const KB = 1024;

/** Compressed size limits of the scripts, in bytes. */
export const LARGEST_GZIP_BYTES = {
  functions: 52 * KB,
  pane: 200 * KB,
  /** functions.js and taskpane.js together: the pane's page loads both. */
  page: 260 * KB,
  worker: 10 * KB,
  chunk: 30 * KB,
  /** Microsoft's library for Office tokens, loaded only to sign a person in with them. */
  officeToken: 70 * KB,
} as const;
