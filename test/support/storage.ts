import type { Ports } from "../../src/client/ports";

/** Creates a local storage, which several sessions can share as windows do. */
export function createStorage(): Ports["storage"] {
  const items = new Map<string, string>();
  const storage = {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => void items.set(key, value),
    removeItem: (key: string) => void items.delete(key),
  };
  return () => storage;
}
