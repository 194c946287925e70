import { afterAll, afterEach, beforeAll, beforeEach } from "@jest/globals";
import { type RunningCompanion, startCompanion } from "../support/companion";
import { createDirectReading, type Read } from "../support/direct-reading";
import { type Formulas, loadFormulas, type Shown } from "../support/formula-cells";

/** A companion with sample data for a file's tests, and for each test a page of its own. */
export interface SandboxFormulas {
  companion: RunningCompanion;
  /** Reads the API without the feed. */
  read: Read;
  formulas: Formulas;
  /** The first result of a formula. */
  show(name: string, ...parameters: unknown[]): Promise<Shown>;
  /** The first cell of it. */
  showOne(name: string, ...parameters: unknown[]): Promise<unknown>;
  /** The operations since the test began, without the token. */
  calls(): string[];
}

/** @param readAll reads what all tests of the file need. */
export function prepareSandbox(
  companies: number,
  readAll: (sandbox: SandboxFormulas) => Promise<void> = async () => {},
): SandboxFormulas {
  const sandbox = {
    show: (name, ...parameters) => sandbox.formulas.type(name, ...parameters).next(),
    showOne: async (name, ...parameters) => (await sandbox.show(name, ...parameters))[0]?.[0],
    calls: () =>
      sandbox.companion.controls.requests.map(({ operationId }) => operationId).filter((id) => id !== "createToken"),
  } as SandboxFormulas;
  beforeAll(async () => {
    sandbox.companion = await startCompanion({ companies });
    sandbox.read = await createDirectReading(sandbox.companion.origin);
    await readAll(sandbox);
  });
  beforeEach(async () => {
    sandbox.companion.controls.reset();
    sandbox.formulas = await loadFormulas(sandbox.companion.origin);
  });
  afterEach(() => sandbox.formulas.close());
  afterAll(() => sandbox.companion.close());
  return sandbox;
}
