/**
 * Runs a step for each item, though one may throw: a host that refuses one cell's output must not cost the others theirs.
 *
 * @throws the first error, after the last step
 */
export function runAll<T>(items: Iterable<T>, step: (item: T) => void): void {
  const errors: unknown[] = [];
  for (const item of items) {
    try {
      step(item);
    } catch (error) {
      errors.push(error);
    }
  }
  if (errors.length > 0) throw errors[0];
}
