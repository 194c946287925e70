import type { Signer } from "./assertion";

/** The provider, and the client that the companion signs as. */
export interface Provider {
  /** True when the embedded sandbox answers, with sample data. */
  sample: boolean;
  /** Without a slash at its end; the sandbox's is known once the companion listens. */
  baseUrl: () => string;
  client: Client;
  /** How many weeks the sample data have moved on; absent for another provider. */
  weeks?: number;
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

/** The client as the provider registered it (§5.1). */
export interface Client {
  clientId: string;
  /** The newest key first; a second one during a rotation, since a provider takes time to learn a new one. */
  signers: readonly [Signer, ...Signer[]];
}

/**
 * Picks the key to sign with: the newest, or the other one where the provider has just refused it.
 * @param refusedKeyId The refused key's identifier.
 */
export function pickSigner({ signers }: Client, refusedKeyId?: string): Signer {
  const [newest] = signers;
  if (refusedKeyId !== newest.keyId) return newest;
  return signers.find(({ keyId }) => keyId !== refusedKeyId) ?? newest;
}

/** Whether another key may help, by the status of a declined exchange. */
export function isKeyRefusal(status: number): boolean {
  return [400, 401, 403].includes(status);
}

/**
 * Describes for the log that the former key signs in place of the newest.
 * @param said The source of the refusal, e.g. "The provider refuses"; a caller's report is no proof.
 */
export function toKeyWarning(said: string, newest: Signer, other: Signer): string {
  return `${said} the newest key "${newest.keyId}", so "${other.keyId}" signs: have the newest registered, or take it out of the settings.`;
}
