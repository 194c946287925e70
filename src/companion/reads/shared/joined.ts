/** Who joined in what somebody else has asked for: it then waits in the turn of each, and goes in whichever comes first. */
export interface Joined {
  /** Tells each who joined, and who joins later. */
  each(listener: (who: string) => void): void;
}

/** Nobody joins what is asked for one reader alone. */
export const NOBODY: Joined = { each: () => {} };

export function createJoined(): Joined & { add(who: string): void } {
  const all = new Set<string>();
  const listeners: ((who: string) => void)[] = [];
  return {
    each(listener) {
      listeners.push(listener);
      for (const who of all) listener(who);
    },
    add(who) {
      if (all.has(who)) return;
      all.add(who);
      for (const listener of listeners) listener(who);
    },
  };
}
