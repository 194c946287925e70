import type { Signer } from "./assertion";

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
