/** A fault, and what shows that it does no harm. */
export interface Fault {
  /** What goes wrong, in the words that a person would use. */
  fault: string;
  /** How the tests bring it about, in a few words. */
  injected: string;
  /** What a cell or the pane shows then. */
  seen: string;
  /** The first of them needs no browser; it is the one that goes red without the guard. */
  tests: readonly [TestOf, ...TestOf[]];
  guard: Guard;
}

/** A test, or all tests of one table. */
export interface TestOf {
  /** From the project's folder, such as `test/faults/data.test.ts`. */
  file: string;
  /** A piece of its title as the source has it, `%s` and its like included. */
  title: string;
}

/** Names tests of one file by their titles. */
export const inFile =
  (file: string) =>
  (title: string): TestOf => ({ file, title });

/** What holds the fault off, told by a change to the source that lets the fault through. */
export interface Guard {
  /** From the project's folder. */
  file: string;
  /** A text that stands exactly once in the file. */
  from: string;
  /** What stands there when the fault is let through. */
  to: string;
}
