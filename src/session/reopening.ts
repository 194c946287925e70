import type { Ports } from "../feed/ports";
import type { Question } from "../feed/watch";

/** Asks again for what a workbook showed from an earlier time when it opened, where that is too old. */
export interface Reopening {
  /** Takes note of a question that was answered by what was kept. */
  note(question: Question<unknown>, asOfMs: number): void;
  /** Goes on once there is a connection. */
  follow(): void;
}

export interface ReopeningOptions {
  ports: Pick<Ports, "after">;
  isStale: (question: Question<unknown>, asOfMs: number) => boolean;
  isConnected: () => boolean;
  refresh: (keys: readonly (readonly unknown[])[]) => Promise<unknown>;
}

/** The cells of a workbook come in one go, and are asked about in one. */
const WAIT_MS = 250;

export function createReopening({ ports, isStale, isConnected, refresh }: ReopeningOptions): Reopening {
  let keys: (readonly unknown[])[] = [];
  let callOff = () => {};
  const arm = () => {
    callOff();
    if (keys.length === 0 || !isConnected()) return;
    callOff = ports.after(WAIT_MS, () => {
      void refresh(keys);
      keys = [];
    });
  };
  return {
    note(question, asOfMs) {
      if (!isStale(question, asOfMs)) return;
      keys.push(question.key);
      arm();
    },
    follow: arm,
  };
}
