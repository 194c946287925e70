/**
 * Makes the number of the event loop's present iteration. While it stays the same, no timer has run since: what was
 * read at its beginning still holds for work that ran in promises alone.
 */
export function createIterations(): () => number {
  let iteration = 0;
  let isCounted = false;
  const end = () => {
    iteration += 1;
    isCounted = false;
  };
  return () => {
    // One immediate for all who ask in an iteration; it runs once the connections have been read.
    if (!isCounted) setImmediate(end);
    isCounted = true;
    return iteration;
  };
}
