import type { Signer } from "./assertion";

/** The client as the provider registered it (§5.1). */
export interface Client {
  clientId: string;
  /** The newest key first; a second one is there while keys are changed, since a provider takes its time to know a new one. */
  signers: readonly [Signer, ...Signer[]];
}

/**
 * Picks the key to sign with: the newest, or the one beside the key that the provider has just refused.
 * @param refusedKeyId The key identifier of that one.
 */
export function pickSigner({ signers }: Client, refusedKeyId?: string): Signer {
  const [newest] = signers;
  if (refusedKeyId !== newest.keyId) return newest;
  return signers.find(({ keyId }) => keyId !== refusedKeyId) ?? newest;
}

/** Tells by the status of a declined exchange whether another key may help. */
export function isKeyRefusal(status: number): boolean {
  return [400, 401, 403].includes(status);
}

/**
 * Tells whoever reads the log that the former key signs in the newest one's place.
 * @param said Who says that the provider refuses the newest, e.g. "The provider refuses"; the caller's word is no proof.
 */
export function toKeyWarning(said: string, newest: Signer, other: Signer): string {
  return `${said} the newest key "${newest.keyId}", so "${other.keyId}" signs: have the newest registered, or take it out of the settings.`;
}
