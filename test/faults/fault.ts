/** A fault, with the tests that prove it harmless: a row of `rows/*.json`. */
export interface Fault {
  /** The fault, in a person's words. */
  fault: string;
  /** How the tests cause it, in a few words. */
  injected: string;
  /** The visible effect in a cell or the pane. */
  seen: string;
  /**
   * Each is a test, or all tests of a table: its file from the project's root, " › ", and a part of its title as in the
   * source, `%s` and the like included. The first one needs no browser; it fails without the guard.
   */
  tests: readonly string[];
  guard: Guard;
}

/** The code that prevents the fault, given by a change that removes it. */
export interface Guard {
  /** From the project's root. */
  file: string;
  /** A text that occurs exactly once in the file. */
  from: string;
  /** Its replacement, which removes the guard. */
  to: string;
}

/** A test that a row names. */
export interface TestOf {
  file: string;
  title: string;
}

/** Reads the name of a test in a row. */
export function readTest(name: string): TestOf {
  const [file = "", ...title] = name.split(" › ");
  return { file, title: title.join(" › ") };
}
