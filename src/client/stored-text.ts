import type { Ports } from "./ports";

/** A text in the browser's storage, where that is available. */
export interface StoredText {
  /** Null where there is none. */
  read(): string | null;
  /** Whether it is stored. */
  write(text: string): boolean;
  remove(): void;
}

/** @param key its name in the origin's storage, which all windows share */
export function createStoredText(storage: Ports["storage"], key: string): StoredText {
  const attempt = <T>(otherwise: T, use: (items: ReturnType<Ports["storage"]>) => T): T => {
    try {
      return use(storage());
    } catch {
      return otherwise; // blocked, full, or none
    }
  };
  return {
    read: () => attempt(null, (items) => items.getItem(key)),
    write: (text) =>
      attempt(false, (items) => {
        items.setItem(key, text);
        return true;
      }),
    remove: () => attempt(undefined, (items) => items.removeItem(key)),
  };
}
