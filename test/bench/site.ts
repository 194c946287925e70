import { join } from "node:path";
import { startForked } from "../support/forked";

/** The bench's commands to the answering process. */
export interface SiteCommand {
  /** The delay of each answer from now on. */
  latencyMs?: number;
  /** Figures that are one larger from now on. */
  changed?: readonly number[] | "all";
  /** Resets the request counts and all faults. */
  forget?: boolean;
}

/** The companion with its sample provider in a separate process. */
export interface Site {
  origin: string;
  /** The number of data requests since the last reset. */
  order(order: SiteCommand): Promise<number>;
  /** Does something after a reset and a command, and counts its requests. */
  count<T>(order: SiteCommand, act: () => Promise<T>): Promise<T & { requests: number }>;
  close(): void;
}

export async function startSite(companies = 5_000): Promise<Site> {
  const path = join(__dirname, "site-process.ts");
  const { begun, order, close } = await startForked<string, SiteCommand, number>(path, String(companies));
  return {
    ...{ origin: begun, order, close },
    async count(command, act) {
      await order({ ...command, forget: true });
      const done = await act();
      return { ...done, requests: await order({}) };
    },
  };
}
