import type { JsonWebKey } from "node:crypto";
import { join } from "node:path";
import { startForked } from "../support/forked";

/** The firm's client at its provider. */
export const CLIENT = { clientId: "firm", keyId: "firm-key" };

export const WEEK_MS = 7 * 86_400_000;

export interface Given {
  companies: number;
  /** The public key of the firm. */
  jwk: JsonWebKey;
}

export interface ProviderCommand {
  latencyMs?: number;
  /** Requests with one of these companies fail. */
  failFor?: readonly string[];
  /** Whether requests from now on get no answer, ever; earlier ones stay as they are. */
  hangs?: boolean;
  /** Whether every request for data from now on is answered with 500. */
  fails?: boolean;
  /** How many weeks later the ranked days are from now on: every ranking has other rows then. */
  weeks?: number;
  /** Resets the counts. */
  forget?: boolean;
}

/** The requests for data at the provider. */
export interface Seen {
  /** Those for financials. */
  requests: number;
  companies: number;
  all: number;
  bySecond: Record<number, number>;
  mostInSecond: number;
  mostInMinute: number;
}

/** Starts the sandbox in a separate process, whose work counts for no companion; an order gives the requests so far. */
export async function startProvider(given: Given) {
  const path = join(__dirname, "provider-process.ts");
  const { begun, ...rest } = await startForked<string, ProviderCommand, Seen>(path, JSON.stringify(given));
  return { baseUrl: begun, ...rest };
}
