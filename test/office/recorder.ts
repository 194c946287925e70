import type { HostObject } from "./requests";

/** Records every property set on an object of the host, by path; `parts` are its nested objects. */
export function createRecorder(set: Record<string, unknown>, path: string, parts: string[] = []): HostObject {
  const toPath = (name: string) => (path === "" ? name : `${path}.${name}`);
  const write = new Proxy<Record<string, (value: never) => void>>(
    {},
    {
      get: (_, name) => (value: unknown) => {
        set[toPath(String(name))] = value;
      },
    },
  );
  return { write, open: Object.fromEntries(parts.map((part) => [part, () => createRecorder(set, toPath(part))])) };
}
