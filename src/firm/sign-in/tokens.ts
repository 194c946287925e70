import { createSecretKey } from "node:crypto";
import { base64url, CompactSign, compactVerify } from "jose";
import { LRUCache } from "lru-cache";
import { makeSecret, type Pairing, toHash } from "../../companion/api/pairing";
import { isPairing } from "../../companion/api/pairing-state";
import { toCommand } from "../../companion/program";
import { readSecretFile } from "../../companion/trusted-file";

/** The one way of signing. No token carries it: another one, or none, cannot be asked for. */
const ALGORITHM = "HS256";
const HEADER = base64url.encode(JSON.stringify({ alg: ALGORITHM }));
/** The length of a signature, 32 bytes in base64url. */
const SIGNATURE_LENGTH = 43;
const KEY = /^[\w-]{43}$/;
/** Verified tokens in memory: a page sends its own with every request. */
const MOST_KNOWN = 10_000;

/** By {@link createPairingTokens}. */
export type PairingTokens = ReturnType<typeof createPairingTokens>;

/**
 * Turns pairings into what pages hold, which any instance with the same key checks without asking for it.
 * @param key Default one of this process alone, for commands that sign nobody in.
 */
export function createPairingTokens(key = makeSecret()) {
  const secret = createSecretKey(key, "base64url");
  const known = new LRUCache<string, Pairing>({ max: MOST_KNOWN });
  return {
    /** Signs a pairing; the token is a secret, for its page alone. */
    async sign(pairing: Pairing): Promise<string> {
      const bytes = new TextEncoder().encode(JSON.stringify(pairing));
      const [, payload, signature] = (
        await new CompactSign(bytes).setProtectedHeader({ alg: ALGORITHM }).sign(secret)
      ).split(".");
      return `${payload}${signature}`;
    },
    /** Reads a token; undefined for one that this key has not signed. Its time may be over. */
    async read(token: string): Promise<Pairing | undefined> {
      const name = toHash(token);
      const pairing = known.get(name) ?? (await verify(token, secret));
      if (pairing !== undefined) known.set(name, pairing);
      return pairing;
    },
  };
}

async function verify(token: string, secret: ReturnType<typeof createSecretKey>): Promise<Pairing | undefined> {
  const jws = [HEADER, token.slice(0, -SIGNATURE_LENGTH), token.slice(-SIGNATURE_LENGTH)].join(".");
  try {
    const { payload } = await compactVerify(jws, secret, { algorithms: [ALGORITHM] });
    const pairing: Pairing = JSON.parse(new TextDecoder().decode(payload));
    return isPairing(pairing) ? pairing : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Reads the key that signs pairings.
 * @throws Error with a sentence for the administrator.
 */
export function readPairingKey(path: string): string {
  const key = readSecretFile(path, "sign-in key file").trim();
  if (KEY.test(key)) return key;
  throw new Error(`${path} holds no key of sign-ins. Make one, for all instances: ${toCommand("keygen --sign-in")}`);
}
