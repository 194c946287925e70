/** A value that is handed over later, and may be taken away again; whoever needs it meanwhile waits. */
export interface Slot<T> {
  /** Gives the value, or waits for it. @throws what {@link Slot.clear} is given */
  get(): Promise<T>;
  /** Null where there is none. */
  peek(): T | null;
  set(value: T): void;
  /** Gives those who wait a value, and keeps none. */
  serve(value: T): void;
  /** Takes the value away; those who wait fail with `error`, or wait on where none is given. */
  clear(error?: unknown): void;
}

/** @param onEmpty is called for each who finds no value, who waits already */
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
