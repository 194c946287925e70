import type { Signer } from "./assertion";
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

/** Names a provider as pairings have it: the sandbox's address has a port that changes, and whoever reads sample data may go on. */
export const toProviderName = ({ sample, baseUrl }: Provider): string => (sample ? "sample" : baseUrl());

/** Tells whether two are one provider, asked as one client by the same keys. */
export function isSameProvider(one: Provider, other: Provider): boolean {
  if (one.sample !== other.sample || one.baseUrl() !== other.baseUrl()) return false;
  const [signers, others] = [one.client.signers, other.client.signers];
  const isSameKey = ({ keyId, publicKey }: Signer, nth: number) =>
    keyId === others[nth]?.keyId && publicKey.equals(others[nth].publicKey);
  return one.client.clientId === other.client.clientId && signers.length === others.length && signers.every(isSameKey);
}
