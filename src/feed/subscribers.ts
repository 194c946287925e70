/** Who is told of changes. */
export interface Listeners {
  /** The function takes the listener out again. */
  add(listener: () => void): () => void;
  tell(): void;
}

export function createListeners(): Listeners {
  const listeners = new Set<() => void>();
  return {
    add(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    tell() {
      for (const listener of [...listeners]) listener(); // some take themselves out on being told
    },
  };
}
