import { join } from "node:path";
import { startForked } from "../support/forked";

export interface SiteCommand {
  /** The delay of each answer from now on. */
  latencyMs?: number;
  /** Figures that are one larger from now on. */
  changed?: readonly number[] | "all";
  /** Resets the request counts and all faults. */
  forget?: boolean;
}

/** The companion with its sample provider in a separate process. */
export type Site = Awaited<ReturnType<typeof startSite>>;

export async function startSite(companies = 5_000) {
  const path = join(__dirname, "site-process.ts");
  const { begun, order, close } = await startForked<string, SiteCommand, number>(path, String(companies));
  return {
    /** An order is answered by the number of data requests since the last reset. */
    ...{ origin: begun, order, close },
    /** Does something after a reset and a command, and counts its requests. */
    async count<T>(command: SiteCommand, act: () => Promise<T>): Promise<T & { requests: number }> {
      await order({ ...command, forget: true });
      const done = await act();
      return { ...done, requests: await order({}) };
    },
  };
}
