import { toThumbprint } from "../key";
import type { StoredKey } from "../key-folder";
import type { Provider } from "../provider";

/** A key that was made here, and what it is used for. */
export type UsedKey = StoredKey & { keyId: string | null; use: "signing" | "previous" | "unused" };

/** Converts the keys that were made here to what the present provider's client uses them for. */
export async function toUsed(keys: readonly StoredKey[], { client }: Provider): Promise<UsedKey[]> {
  const [signing, previous] = await Promise.all(client.signers.map(({ publicKey }) => toThumbprint(publicKey)));
  const [newest, other] = client.signers;
  return keys.map((key) => {
    if (key.thumbprint === signing) return { ...key, keyId: newest.keyId, use: "signing" };
    if (key.thumbprint === previous) return { ...key, keyId: other?.keyId ?? null, use: "previous" };
    return { ...key, keyId: null, use: "unused" };
  });
}
