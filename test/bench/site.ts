import { fork } from "node:child_process";
import { join } from "node:path";

/** What the bench orders of the process that answers. */
export interface Order {
  id: number;
  /** How long each answer is held back from now on. */
  latencyMs?: number;
  /** Figures that are answered one larger from now on. */
  changed?: readonly number[] | "all";
  /** Counts requests anew, and turns all else off. */
  forget?: boolean;
}

export type Told = { id: number; requests: number } | { id: 0; origin: string };

/** The companion with its sample provider, in a process of its own: what it computes must not be taken for the page's. */
export interface Site {
  origin: string;
  /** Gives the requests for data since they were counted anew. */
  order(order: Omit<Order, "id">): Promise<number>;
  close(): void;
}

export async function startSite(companies = 5_000): Promise<Site> {
  const loader = join(__dirname, "../support/typescript.cjs");
  const child = fork(join(__dirname, "site-process.ts"), [String(companies)], { execArgv: ["--require", loader] });
  const waiting = new Map<number, (told: Told) => void>();
  child.on("message", (told: Told) => waiting.get(told.id)?.(told));
  const receive = (id: number) => new Promise<Told>((resolve) => waiting.set(id, resolve));
  const { origin } = (await receive(0)) as { origin: string };
  let orders = 0;
  return {
    origin,
    async order(order) {
      const id = ++orders;
      const heard = receive(id);
      child.send({ ...order, id });
      return ((await heard) as { requests: number }).requests;
    },
    close: () => void child.disconnect(),
  };
}
