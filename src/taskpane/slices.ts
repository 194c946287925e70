/** Work that pauses after each small step, so that it can be cut into slices; its last step returns the result. */
export type Steps<Result> = Generator<undefined, Result, undefined>;

/** Length of a slice: the page draws and answers a person between two of them. */
const SLICE_MS = 12;

/** A slice runs so many steps, however long they take: little work is done at once on a busy machine, too. */
const STEPS_AT_LEAST = 20;

/** Runs steps until they end or the slice is over. @returns the last step */
function runSlice<Result>(steps: Steps<Result>): IteratorResult<undefined, Result> {
  const endMs = performance.now() + SLICE_MS;
  let step = steps.next();
  for (let count = 1; !step.done && (count < STEPS_AT_LEAST || performance.now() < endMs); count++) step = steps.next();
  return step;
}

/** Settles in a task of its own. */
export const nextTask = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

/**
 * Runs work in slices; calls `done` at once where one slice is enough.
 *
 * @returns cancels the rest
 */
export function runInSlices<Result>(steps: Steps<Result>, done: (result: Result) => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const run = () => {
    const step = runSlice(steps);
    if (step.done) done(step.value);
    else timer = setTimeout(run);
  };
  run();
  return () => clearTimeout(timer);
}

/** Runs work in slices, each in a task of its own. */
export async function finishInSlices<Result>(steps: Steps<Result>): Promise<Result> {
  let step = runSlice(steps);
  while (!step.done) {
    await nextTask();
    step = runSlice(steps);
  }
  return step.value;
}

/** Runs work at once. */
export function finish<Result>(steps: Steps<Result>): Result {
  let step = steps.next();
  while (!step.done) step = steps.next();
  return step.value;
}

/** Maps items, one a step. */
export function* mapInSteps<Item, Result>(
  items: Iterable<Item>,
  map: (item: Item, index: number) => Result,
): Steps<Result[]> {
  const results: Result[] = [];
  for (const item of items) {
    results.push(map(item, results.length));
    yield;
  }
  return results;
}
