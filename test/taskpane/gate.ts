import { createPorts, type Ports } from "../../src/client/ports";

/** A network that delays requests for one path until the test releases them. */
export interface Gate {
  ports: Ports;
  /** Settled when a request is delayed. */
  reached: Promise<void>;
  open(): void;
}

/** @param free How many requests pass before; default 0. */
export function createGate(path: string, free = 0): Gate {
  let passed = 0;
  let arrive = () => {};
  let open = () => {};
  const reached = new Promise<void>((resolve) => (arrive = resolve));
  const opened = new Promise<void>((resolve) => (open = resolve));
  const ports = createHurriedPorts();
  const gated: typeof fetch = async (input, init) => {
    if (new URL(String(input)).pathname.endsWith(path) && passed++ >= free) {
      arrive();
      await opened;
    }
    return ports.fetch(input, init);
  };
  return { ports: { ...ports, fetch: gated }, reached, open };
}

/** Pauses in typing, throttles and retry delays take next to no time; deadlines stay. */
export function createHurriedPorts(): Ports {
  const ports = createPorts();
  const hurry = (delayMs: number) => (delayMs < SHORTEST_DEADLINE_MS ? Math.min(delayMs, SHORT_MS) : delayMs);
  return { ...ports, after: (delayMs, callback) => ports.after(hurry(delayMs), callback) };
}

const SHORTEST_DEADLINE_MS = 5_000;
const SHORT_MS = 5;
