import type { JsonWebKey } from "node:crypto";
import { join } from "node:path";
import { startForked } from "../support/forked";

/** The firm's client at its provider. */
export const CLIENT = { clientId: "firm", keyId: "firm-key" };

/** The start options of its process. */
export interface Given {
  companies: number;
  /** The public key of the firm. */
  jwk: JsonWebKey;
}

/** Commands to the provider. */
export interface ProviderCommand {
  /** The delay of each answer. */
  latencyMs?: number;
  /** Requests with one of these companies fail. */
  failFor?: readonly string[];
  /** Whether requests from now on get no answer, ever; earlier ones stay as they are. */
  hangs?: boolean;
  /** Whether every request for data from now on is answered with 500. */
  fails?: boolean;
  /** Resets the counts. */
  forget?: boolean;
}

/** The requests for data at the provider. */
export interface Seen {
  /** Those for financials. */
  requests: number;
  /** The number of companies in them. */
  companies: number;
  /** All requests for data. */
  all: number;
  /** All by second of the clock. */
  bySecond: Record<number, number>;
  /** The most of all within any second. */
  mostInSecond: number;
  /** The most of all within any minute. */
  mostInMinute: number;
}

/** The sandbox in a separate process, so that its work does not count for a companion. */
export type FirmProvider = Awaited<ReturnType<typeof startProvider>>;

/** Starts it; an order gives the requests so far. */
export async function startProvider(given: Given) {
  const path = join(__dirname, "provider-process.ts");
  const { begun, ...rest } = await startForked<string, ProviderCommand, Seen>(path, JSON.stringify(given));
  return { baseUrl: begun, ...rest };
}
