import type { Client } from "./client";

/** Whom the companion signs to, and as which client. */
export interface Provider {
  /** True when the embedded sandbox answers, with sample data. */
  sample: boolean;
  /** Without a slash at its end; the sandbox's is known only once the companion listens. */
  baseUrl: () => string;
  client: Client;
}

/** Converts a provider to the address of its token endpoint (§4.1), which is the audience of assertions too. */
export function toTokenUrl(provider: Provider): string {
  return `${provider.baseUrl()}/token`;
}
