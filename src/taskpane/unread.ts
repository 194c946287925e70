const listeners = new Set<() => void>();
let count = 0;

/** How many alerts nobody has read, for the tab, which shows before the script of alerts has come. */
export const unread = {
  subscribe(listener: () => void) {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  },
  count: () => count,
  set(next: number) {
    count = next;
    for (const listener of listeners) listener();
  },
};
