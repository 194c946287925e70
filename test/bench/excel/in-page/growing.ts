// Runs in the page as a separate script after the host's; imports types alone.
import type { CellCall } from "../sheet";

/** Times of a table in milliseconds since its call. */
export interface Growth {
  /** Until the function set the first rows. */
  handedMs: number;
  /** Until the host had the first rows, and until it had all. */
  firstMs: number;
  allMs: number;
  /** Until its second page was requested. */
  nextMs: number;
}

export interface Growing {
  /** Calls a formula for a table with headers, and waits for a number of rows. */
  grow(call: CellCall, rows: number): Promise<Growth>;
}

declare global {
  interface Window {
    growing: Growing;
  }
}

type Run = (...given: unknown[]) => void;

const countRows = (table: unknown): number => (Array.isArray(table) ? table.length : 0);

/** Notifies of each table that a function sets. */
function recordHanded(name: string, record: (table: unknown) => void): void {
  const { mappings } = (CustomFunctions as unknown as { _association: { mappings: Record<string, Run> } })._association;
  const run = mappings[name]!;
  CustomFunctions.associate(name, (...given: unknown[]) => {
    const invocation = given.at(-1) as CustomFunctions.StreamingInvocation<unknown>;
    const { setResult } = invocation;
    invocation.setResult = (table) => {
      record(table);
      setResult(table);
    };
    run(...given);
  });
}

/** The time of the request for a list's second page since then, by the page's clock. */
function findNext(sinceMs: number): number {
  const requests = performance.getEntriesByType("resource").filter(({ startTime }) => startTime >= sinceMs);
  return requests.find(({ name }) => new URL(name).searchParams.get("page") === "2")?.startTime ?? Number.NaN;
}

window.growing = {
  async grow(call, rows) {
    const { bench } = window;
    const handed: number[] = [];
    const shown: number[] = [];
    recordHanded(call[0], (table) => countRows(table) > 1 && handed.push(performance.now()));
    const whole = new Promise<void>((resolve) => {
      bench.onResult = (table) => {
        if (countRows(table) > 1) shown.push(performance.now());
        if (countRows(table) === rows) resolve();
      };
    });
    const called = bench.call([call]);
    await whole;
    bench.onResult = () => {};
    await Promise.all([called, bench.quiet()]); // another request may check that the list has ended
    const toMs = (atMs: number | undefined) => (atMs ?? Number.NaN) - bench.beganMs;
    const nextMs = toMs(findNext(bench.beganMs));
    return { handedMs: toMs(handed[0]), firstMs: toMs(shown[0]), allMs: toMs(shown.at(-1)), nextMs };
  },
};
