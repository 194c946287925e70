import { afterAll, beforeAll, jest } from "@jest/globals";
import { type Analyst, signAllIn } from "./analyst";
import { type Firm, type FirmOptions, startFirm } from "./firm";

/** How long a start, an end or a test of a firm may take. */
const LONGEST_MS = 90_000;

/** Starts a firm before the tests of a file, signs some people in, and ends both after them. */
export function setUpFirm({ analysts, ...options }: FirmOptions & { companies: number; analysts: number }) {
  const used = { analysts: [] as Analyst[] } as { firm: Firm; analysts: Analyst[] };
  jest.setTimeout(LONGEST_MS);
  beforeAll(async () => {
    used.firm = await startFirm(options);
    used.analysts = await signAllIn(used.firm, analysts);
  });
  afterAll(async () => {
    for (const analyst of used.analysts) await analyst.leave();
    await used.firm?.close();
  });
  return used;
}
