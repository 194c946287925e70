/** How many questions of this instance are under way at once. */
export const LANES = 6;

/** Lanes to the provider, in which readers take turns: one who asks for much holds up none who asks for little. */
export interface Lanes {
  /** @param who Whose turn it takes. */
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
      await new Promise<void>((resolve) => {
        const own = waiting.get(who) ?? [];
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
