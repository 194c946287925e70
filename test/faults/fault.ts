/** A fault, and the tests that show it does no harm. */
export interface Fault {
  /** What goes wrong, in a person's words. */
  fault: string;
  /** How the tests cause it, in a few words. */
  injected: string;
  /** What a cell or the pane then shows. */
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
  /** The text that lets the fault through. */
  to: string;
}
