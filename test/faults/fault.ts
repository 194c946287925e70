/** A fault, with the tests that prove it harmless. */
export interface Fault {
  /** The fault, in a person's words. */
  fault: string;
  /** How the tests cause it, in a few words. */
  injected: string;
  /** The visible effect in a cell or the pane. */
  seen: string;
  /** The first one needs no browser; it fails without the guard. */
  tests: readonly [TestOf, ...TestOf[]];
  guard: Guard;
}

/** A test, or all tests of a table. */
export interface TestOf {
  /** From the project's root, such as `test/faults/data.test.ts`. */
  file: string;
  /** A part of its title as in the source, `%s` and the like included. */
  title: string;
}

/** Names tests of a file by their titles. */
export const inFile =
  (file: string) =>
  (title: string): TestOf => ({ file, title });

/** The code that prevents the fault, given by a change that removes it. */
export interface Guard {
  /** From the project's root. */
  file: string;
  /** A text that occurs exactly once in the file. */
  from: string;
  /** Its replacement, which removes the guard. */
  to: string;
}
