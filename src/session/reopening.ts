import type { Ports } from "../client/ports";
import type { Query } from "../feed/query-cache";

/** Refetches persisted answers that are too old, when a workbook opens. */
interface Reopening {
  /** Records a query that a persisted answer served. */
  record(query: Query<unknown>, asOfMs: number): void;
  /** Begins once it is ready. */
  follow(): void;
}

interface ReopeningOptions {
  ports: Pick<Ports, "after">;
  /** Whether an answer of this age must be refetched. */
  isDue: (query: Query<unknown>, asOfMs: number) => boolean;
  /** Whether there is a connection, and the workbook's settings have been read. */
  isReady: () => boolean;
  refresh: (queries: readonly Query<unknown>[]) => Promise<unknown>;
}

/** The cells of a workbook come together, and make one refresh. */
const WAIT_MS = 250;

export function createReopening({ ports, isDue, isReady, refresh }: ReopeningOptions): Reopening {
  let recorded: { query: Query<unknown>; asOfMs: number }[] = [];
  let callOff: (() => void) | null = null;
  const follow = () => {
    if (recorded.length === 0 || callOff !== null || !isReady()) return;
    callOff = ports.after(WAIT_MS, () => {
      callOff = null;
      if (!isReady()) return;
      const due = recorded.filter(({ query, asOfMs }) => isDue(query, asOfMs));
      recorded = [];
      if (due.length > 0) void refresh(due.map(({ query }) => query));
    });
  };
  return {
    record(query, asOfMs) {
      recorded.push({ query, asOfMs });
      callOff?.();
      callOff = null;
      follow();
    },
    follow,
  };
}
