import type { FastifyBaseLogger } from "fastify";
import { createProviderClock } from "../../src/companion/clock";
import { createRelayToken } from "../../src/companion/relay/token";
import { createUpstream } from "../../src/companion/relay/upstream";
import { createProviderClient, type ProviderClient } from "../../src/firm/relay/provider-client";
import type { FirmStores } from "../../src/firm/stores";
import { createProvider } from "../companion/test-configuration";

/** How an instance reaches its provider. */
export interface InstanceOptions {
  /** The provider's port on this machine. */
  port: number;
  stores: FirmStores;
  log: FastifyBaseLogger;
  nowMs: () => number;
  perMinute?: number;
  /** The time limit of a whole answer, in milliseconds. */
  totalMs?: number;
  /** The delay before a hedging request, in milliseconds. */
  aloneMs?: number;
}

/** Creates the provider reads of an instance on shared stores, with a token of its own. */
export function createInstanceReads(options: InstanceOptions): ProviderClient & { close(): Promise<void> } {
  const { port, stores, log, nowMs, perMinute = 6000, totalMs = 20_000, aloneMs } = options;
  const own = createProvider(`http://127.0.0.1:${port}`);
  const provider = () => own;
  const upstream = createUpstream({ totalMs });
  const token = createRelayToken({ provider, clock: createProviderClock(nowMs), aloneMs });
  return {
    ...createProviderClient({ provider, upstream, token, stores, perMinute, log, nowMs, aloneMs }),
    close: () => upstream.close(),
  };
}
