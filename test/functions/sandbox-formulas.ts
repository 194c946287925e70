import { afterAll, afterEach, beforeAll, beforeEach } from "@jest/globals";
import { type RunningCompanion, startCompanion } from "../support/companion";
import { createDirectReading, type Read } from "../support/direct-reading";
import { type Formulas, loadFormulas, type Shown } from "../support/formula-cells";

/**
 * A companion with sample data for a file's tests, and for each test a page of its own.
 * @param readAll reads what all tests of the file need, from the API without the feed.
 */
export function prepareSandbox(companies: number, readAll: (sandbox: { read: Read }) => Promise<void>) {
  /** The first result of a formula. */
  const show = (name: string, ...parameters: unknown[]): Promise<Shown> =>
    sandbox.formulas.type(name, ...parameters).next();
  const sandbox = {
    ...({} as { companion: RunningCompanion; formulas: Formulas }),
    show,
    /** The first cell of it. */
    showOne: async (...given: Parameters<typeof show>): Promise<unknown> => (await show(...given))[0]?.[0],
  };
  beforeAll(async () => {
    sandbox.companion = await startCompanion({ companies });
    await readAll({ read: await createDirectReading(sandbox.companion.origin) });
  });
  beforeEach(async () => {
    sandbox.companion.controls.reset();
    sandbox.formulas = await loadFormulas(sandbox.companion.origin);
  });
  afterEach(() => sandbox.formulas.close());
  afterAll(() => sandbox.companion.close());
  return sandbox;
}
