/**
 * Runs all steps, though one may throw: a host that refuses one cell's output must not cost the others theirs.
 *
 * @throws the first error, after the last step
 */
export function runAll(steps: readonly (() => void)[]): void {
  const errors: unknown[] = [];
  for (const step of steps) {
    try {
      step();
    } catch (error) {
      errors.push(error);
    }
  }
  if (errors.length > 0) throw errors[0];
}
