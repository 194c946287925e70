import { QueueFull } from "./queue-full";

/** How many questions of one family of data, and of this instance, are under way at once. */
export const LANES = 6;
/** How many questions of one reader may wait: they are asked though nobody should wait for them any more. */
export const LONGEST_QUEUE = 200;

/** Lanes to the provider, in which readers take turns: one who asks for much holds up none who asks for little. */
export interface Lanes {
  /**
   * @param who Whose turn it takes.
   * @throws QueueFull where many of that one's wait already.
   */
  run<T>(who: string, work: () => Promise<T>): Promise<T>;
}

export function createLanes(): Lanes {
  const waiting = new Map<string, (() => void)[]>();
  let underWay = 0;
  const startNext = () => {
    const [next] = waiting;
    if (next === undefined || underWay >= LANES) return;
    const [who, own] = next;
    const start = own.shift()!;
    waiting.delete(who);
    if (own.length > 0) waiting.set(who, own);
    underWay += 1;
    start();
  };
  return {
    async run(who, work) {
      const own = waiting.get(who) ?? [];
      if (own.length >= LONGEST_QUEUE) throw new QueueFull();
      await new Promise<void>((resolve) => {
        own.push(resolve);
        waiting.set(who, own);
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
