import { type Joined, NOBODY } from "./joined";
import { NotYet, QueueFull } from "./queue-refusals";

/** How many questions of one family of data, and of this instance, are under way at once. */
export const LANES = 6;
/** How many questions of one reader may wait: they are asked though nobody should wait for them any more. */
export const LONGEST_QUEUE = 200;
/** How long one waits for its turn: with that of its request it stays below the pane's patience. */
export const LONGEST_WAIT_MS = 10_000;

/** Lanes to the provider, in which readers take turns: one who asks for much holds up none who asks for little. */
export interface Lanes {
  /**
   * @param who Whose turn it takes.
   * @param joined Whose turn it takes as well; default nobody's.
   * @throws QueueFull where many of that one's wait already; NotYet where its turn does not come within ten seconds.
   */
  run<T>(who: string, work: () => Promise<T>, joined?: Joined): Promise<T>;
}

type Start = () => void;

export function createLanes(): Lanes {
  const waiting = new Map<string, Set<Start>>();
  let underWay = 0;
  const leave = (start: Start) => {
    for (const [who, own] of waiting) if (own.delete(start) && own.size === 0) waiting.delete(who);
  };
  const startNext = () => {
    const [next] = waiting;
    if (next === undefined || underWay >= LANES) return;
    const [who, own] = next;
    const [start] = own as Iterable<Start> as [Start];
    waiting.delete(who);
    waiting.set(who, own);
    leave(start);
    underWay += 1;
    start();
  };
  const hasPlace = (who: string) => (waiting.get(who)?.size ?? 0) < LONGEST_QUEUE;
  const add = (who: string, start: Start) => waiting.set(who, (waiting.get(who) ?? new Set()).add(start));
  return {
    async run(who, work, joined = NOBODY) {
      if (!hasPlace(who)) throw new QueueFull();
      await new Promise<void>((resolve, reject) => {
        let isWaiting = true;
        const timer = setTimeout(() => {
          leave(start);
          reject(new NotYet());
        }, LONGEST_WAIT_MS);
        const start = () => {
          isWaiting = false;
          clearTimeout(timer);
          resolve();
        };
        add(who, start);
        joined.each((other) => isWaiting && hasPlace(other) && add(other, start));
        startNext();
      });
      try {
        return await work();
      } finally {
        underWay -= 1;
        startNext();
      }
    },
  };
}
