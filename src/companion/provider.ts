import type { Signer } from "./assertion";
import type { Client } from "./client";

/** The provider, and the client that the companion signs as. */
export interface Provider {
  /** True when the embedded sandbox answers, with sample data. */
  sample: boolean;
  /** Without a slash at its end; the sandbox's is known once the companion listens. */
  baseUrl: () => string;
  client: Client;
}

/** Gives the token endpoint (§4.1), which is also the audience of assertions. */
export function toTokenUrl(provider: Provider): string {
  return `${provider.baseUrl()}/token`;
}

/** Gives the provider's name in pairings: "sample" for the sandbox, whose port may change. */
export const toProviderName = ({ sample, baseUrl }: Provider): string => (sample ? "sample" : baseUrl());

/** Whether two are the same provider, client and keys. */
export function isSameProvider(one: Provider, other: Provider): boolean {
  if (one.sample !== other.sample || one.baseUrl() !== other.baseUrl()) return false;
  const [signers, others] = [one.client.signers, other.client.signers];
  const isSameKey = ({ keyId, publicKey }: Signer, nth: number) =>
    keyId === others[nth]?.keyId && publicKey.equals(others[nth].publicKey);
  return one.client.clientId === other.client.clientId && signers.length === others.length && signers.every(isSameKey);
}
