import type { Steps } from "../../src/taskpane/slices";

/** Runs work to its end in one go. */
export function runSteps<Result>(steps: Steps<Result>): Result {
  let step = steps.next();
  while (!step.done) step = steps.next();
  return step.value;
}
