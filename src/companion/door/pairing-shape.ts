import type { Pairing, PairingState } from "./pairing";

/**
 * Tells whether a file of pairings holds what was written there: a person may have mended it by hand.
 * @throws TypeError where not even its outline is left.
 */
export function isPairingState({ code, pairings }: PairingState): boolean {
  return (code === null || isCode(code)) && pairings.every(isPairing);
}

function isCode({ hash, expiresAtMs, triesLeft }: NonNullable<PairingState["code"]>): boolean {
  return typeof hash === "string" && Number.isFinite(expiresAtMs) && Number.isFinite(triesLeft);
}

function isPairing({ id, origin, provider, hash, pairedAtMs }: Pairing): boolean {
  const isTime = Number.isFinite(pairedAtMs) && !Number.isNaN(new Date(pairedAtMs).getTime());
  return isTime && [id, origin, provider, hash].every((text) => typeof text === "string");
}
