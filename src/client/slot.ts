/** A value that is set later and may be removed again; callers wait for it. */
export interface Slot<T> {
  /** Gives the value, or waits for it. @throws the error of {@link Slot.clear} */
  get(): Promise<T>;
  /** Null where there is none. */
  peek(): T | null;
  set(value: T): void;
  /** Gives the current waiters a value without storing it. */
  serve(value: T): void;
  /** Removes the value; waiters fail with `error`, or go on waiting without one. */
  clear(error?: unknown): void;
}

/** @param onEmpty called for each `get` without a value */
export function createSlot<T>(onEmpty: () => void): Slot<T> {
  let held: { value: T } | null = null;
  let waiting: { resolve: (value: T) => void; reject: (error: unknown) => void }[] = [];
  const takeWaiting = () => {
    const all = waiting;
    waiting = [];
    return all;
  };
  const serve = (value: T) => {
    for (const { resolve } of takeWaiting()) resolve(value);
  };
  return {
    get() {
      if (held !== null) return Promise.resolve(held.value);
      return new Promise((resolve, reject) => {
        waiting.push({ resolve, reject });
        onEmpty();
      });
    },
    peek: () => held?.value ?? null,
    set(value) {
      held = { value };
      serve(value);
    },
    serve,
    clear(error) {
      held = null;
      if (error === undefined) return;
      for (const { reject } of takeWaiting()) reject(error);
    },
  };
}
