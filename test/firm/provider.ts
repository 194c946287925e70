import { fork } from "node:child_process";
import type { JsonWebKey } from "node:crypto";
import { join } from "node:path";

/** The firm's one client at its provider. */
export const CLIENT = { clientId: "firm", keyId: "firm-key" };

/** What its process begins with. */
export interface Given {
  companies: number;
  /** The public key by which it knows the firm. */
  jwk: JsonWebKey;
}

/** What the provider is told to do from now on. */
export interface Order {
  /** How long each answer is held back. */
  latencyMs?: number;
  /** Requests that hold one of these companies fail. */
  failFor?: readonly string[];
  /** Counts anew. */
  forget?: boolean;
}

/** What reached the provider of requests for financials. */
export interface Seen {
  requests: number;
  /** How many companies they held together. */
  companies: number;
  /** Requests by the second of the clock. */
  bySecond: Record<number, number>;
}

/** The sandbox in a process of its own: what it computes must not be taken for a companion's. */
export interface FirmProvider {
  pid: number;
  baseUrl: string;
  /** Gives what reached it up to now. */
  order(order: Order): Promise<Seen>;
  close(): void;
}

export async function startProvider(given: Given): Promise<FirmProvider> {
  const loader = join(__dirname, "../support/typescript.cjs");
  const child = fork(join(__dirname, "provider-process.ts"), [JSON.stringify(given)], {
    execArgv: ["--require", loader],
  });
  const waiting = new Map<number, (told: unknown) => void>();
  child.on("message", (told: { id: number }) => waiting.get(told.id)?.(told));
  const receive = <Told>(id: number) =>
    new Promise<Told>((resolve) => waiting.set(id, resolve as (told: unknown) => void));
  const { baseUrl } = await receive<{ baseUrl: string }>(0);
  let orders = 0;
  return {
    pid: child.pid!,
    baseUrl,
    async order(order) {
      const id = ++orders;
      const heard = receive<{ seen: Seen }>(id);
      child.send({ ...order, id });
      return (await heard).seen;
    },
    close: () => void child.disconnect(),
  };
}
