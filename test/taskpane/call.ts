import type { Call } from "../../src/session/calls";

/** A live formula; default a RANKING without arguments, cell, query or output. */
export const toCall = (more: Partial<Call> = {}): Call => ({
  name: "RANKING",
  given: {},
  address: null,
  queries: [],
  error: null,
  shown: null,
  readOrigins: () => () => ({ error: null, places: [] }),
  reread() {},
  ...more,
});
