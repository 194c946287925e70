import type { FeedError } from "../feed/errors";
import type { Families, Server } from "../feed/http/families";
import type { Ports } from "../feed/ports";
import type { Watch } from "../feed/watch";

/** Asks again, once, whatever failed for a pause of its family, as soon as that is over; nothing else. */
export interface Recovering {
  /** Goes on after a change of families, connection or questions. */
  follow(): void;
}

export interface RecoveringOptions {
  ports: Pick<Ports, "nowMs" | "after">;
  families: Pick<Families, "list" | "findCause">;
  watch: Pick<Watch, "retryFailed" | "size">;
  /** Whether there is a connection to ask through. */
  mayAsk: () => boolean;
}

export function createRecovering({ ports, families, watch, mayAsk }: RecoveringOptions): Recovering {
  const owed = new Set<Server>();
  let dueAtMs: number | null = null;
  let callOff = () => {};
  const listPaused = () => families.list().filter(({ untilMs }) => ports.nowMs() < untilMs);
  const follow = () => {
    if (owed.size === 0 && families.list().length === 0) return; // cells come and go by thousands
    const ends = new Map(listPaused().map(({ family, untilMs }) => [family, untilMs]));
    for (const family of ends.keys()) owed.add(family);
    const isOn = owed.size > 0 && watch.size() > 0 && mayAsk();
    const nextAtMs = isOn ? Math.min(...[...owed].map((family) => ends.get(family) ?? 0)) : null;
    if (nextAtMs === dueAtMs) return;
    callOff();
    dueAtMs = nextAtMs;
    callOff = nextAtMs === null ? () => {} : ports.after(Math.max(0, nextAtMs - ports.nowMs()), recover);
  };
  const recover = () => {
    const paused = listPaused().map(({ family }) => family);
    const due = [...owed].filter((family) => !paused.includes(family));
    for (const family of due) owed.delete(family);
    const isDue = (wasSent: boolean) => (error: FeedError) => {
      const cause = families.findCause(error);
      return cause?.wasSent === wasSent && due.includes(cause.family);
    };
    // One that always fails must not be the first each time, which alone tries whether the family is well.
    watch.retryFailed(isDue(false));
    watch.retryFailed(isDue(true));
    dueAtMs = null;
    follow();
  };
  return { follow };
}
