/** Who is told of changes. */
export interface Subscribers {
  /** The function takes the listener out again. */
  subscribe(listener: () => void): () => void;
  notify(): void;
}

export function createSubscribers(): Subscribers {
  const listeners = new Set<() => void>();
  return {
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    notify() {
      for (const listener of [...listeners]) listener(); // some take themselves out on being told
    },
  };
}
