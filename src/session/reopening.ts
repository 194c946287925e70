import type { Ports } from "../client/ports";
import type { Query } from "../feed/query-cache";

/** Asks again for what a workbook showed from an earlier time when it opened, where that is too old. */
interface Reopening {
  /** Takes note of a query that was answered by what was kept. */
  note(query: Query<unknown>, asOfMs: number): void;
  /** Goes on once it may ask. */
  follow(): void;
}

interface ReopeningOptions {
  ports: Pick<Ports, "after">;
  /** Whether a query that was answered so is to be asked again. */
  isDue: (query: Query<unknown>, asOfMs: number) => boolean;
  /** Whether there is a connection, and it is known what the workbook wants. */
  isReady: () => boolean;
  refresh: (keys: readonly (readonly unknown[])[]) => Promise<unknown>;
}

/** The cells of a workbook come in one go, and are asked about in one. */
const WAIT_MS = 250;

export function createReopening({ ports, isDue, isReady, refresh }: ReopeningOptions): Reopening {
  let noted: { query: Query<unknown>; asOfMs: number }[] = [];
  let callOff: (() => void) | null = null;
  const follow = () => {
    if (noted.length === 0 || callOff !== null || !isReady()) return;
    callOff = ports.after(WAIT_MS, () => {
      callOff = null;
      if (!isReady()) return;
      const due = noted.filter(({ query, asOfMs }) => isDue(query, asOfMs));
      noted = [];
      if (due.length > 0) void refresh(due.map(({ query }) => query.key));
    });
  };
  return {
    note(query, asOfMs) {
      noted.push({ query, asOfMs });
      callOff?.();
      callOff = null;
      follow();
    },
    follow,
  };
}
