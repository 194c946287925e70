import { useEffect, useState } from "react";
import type { Pause } from "../../client/http/families";
import type { Session } from "../../session/session";

const TICK_MS = 1_000;

/** What is over sooner is not told of: the pane would only flicker. */
const SHORTEST_TOLD_MS = 2_000;

/** Between the end of a pause and the try after it, which tells whether it is over, its line stays for so long. */
const STAYS_MS = 500;

interface Seen {
  pause: Pause;
  sinceMs: number;
  /** When it was listed last. */
  lastMs: number;
  isTold: boolean;
}

/** What pauses for long enough to be told of, looked at again each second for as long as anything does. */
export function usePauses({ ports, pauses, subscribe }: Session): readonly Pause[] {
  const [shown, show] = useState<readonly Pause[]>([]);
  useEffect(() => {
    const seen = new Map<Pause["family"], Seen>();
    let callOff = () => {};
    const look = () => {
      callOff();
      const list = pauses.list();
      see(seen, list, ports.nowMs());
      const told = [...seen.values()].flatMap(({ pause, isTold }) => (isTold ? pause : []));
      show((before) => (before.length === 0 && told.length === 0 ? before : told));
      const delayMs = list.length < seen.size ? STAYS_MS : TICK_MS;
      callOff = seen.size === 0 ? () => {} : ports.after(delayMs, look);
    };
    look();
    const stop = subscribe(look);
    return () => {
      stop();
      callOff();
    };
  }, [ports, pauses, subscribe]);
  return shown;
}

/** Notes what pauses, and forgets what has not for a while; meanwhile, and while it is tried, a pause lasts until now. */
function see(seen: Map<Pause["family"], Seen>, list: readonly Pause[], nowMs: number): void {
  for (const pause of list) {
    const { sinceMs, isTold } = seen.get(pause.family) ?? { sinceMs: nowMs, isTold: false };
    const untilMs = Math.max(pause.untilMs, nowMs);
    const isLong = untilMs - sinceMs >= SHORTEST_TOLD_MS;
    seen.set(pause.family, { pause: { ...pause, untilMs }, sinceMs, lastMs: nowMs, isTold: isTold || isLong });
  }
  for (const [family, one] of seen) {
    if (list.some((pause) => pause.family === family)) continue;
    if (Math.abs(nowMs - one.lastMs) >= STAYS_MS) seen.delete(family);
    else seen.set(family, { ...one, pause: { ...one.pause, untilMs: nowMs } });
  }
}
