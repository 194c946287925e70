import { fork } from "node:child_process";
import { join } from "node:path";

/** The bench's commands to the answering process. */
export interface SiteCommand {
  id: number;
  /** The delay of each answer from now on. */
  latencyMs?: number;
  /** Figures that are one larger from now on. */
  changed?: readonly number[] | "all";
  /** Resets the request counts and all faults. */
  forget?: boolean;
}

export type SiteReply = { id: number; requests: number } | { id: 0; origin: string };

/** The companion with its sample provider in a separate process, so that its work does not count for the page. */
export interface Site {
  origin: string;
  /** The number of data requests since the last reset. */
  order(order: Omit<SiteCommand, "id">): Promise<number>;
  close(): void;
}

export async function startSite(companies = 5_000): Promise<Site> {
  const loader = join(__dirname, "../support/typescript.cjs");
  const child = fork(join(__dirname, "site-process.ts"), [String(companies)], { execArgv: ["--require", loader] });
  const waiting = new Map<number, (reply: SiteReply) => void>();
  child.on("message", (reply: SiteReply) => waiting.get(reply.id)?.(reply));
  const receive = (id: number) => new Promise<SiteReply>((resolve) => waiting.set(id, resolve));
  const { origin } = (await receive(0)) as { origin: string };
  let orders = 0;
  return {
    origin,
    async order(order) {
      const id = ++orders;
      const reply = receive(id);
      child.send({ ...order, id });
      return ((await reply) as { requests: number }).requests;
    },
    close: () => void child.disconnect(),
  };
}
