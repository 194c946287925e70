import type { Signer } from "./signer";

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
