const KB = 1024;

/** The most bytes, compressed, that a script may have on the wire. */
export const LARGEST_GZIP_BYTES = {
  functions: 52 * KB,
  pane: 200 * KB,
  /** Of functions.js and taskpane.js, which the pane's page loads both. */
  page: 260 * KB,
  worker: 10 * KB,
  chunk: 30 * KB,
  /** Of Microsoft's library for tokens of Office, which a page loads that signs a person in by them, and no other. */
  officeToken: 70 * KB,
} as const;
