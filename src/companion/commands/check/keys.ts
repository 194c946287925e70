import { verify } from "node:crypto";
import { signAssertion } from "../../assertion";
import type { Client } from "../../client";
import type { Settings } from "../../configuration/settings";
import { describeKey } from "../../key-folder";
import type { Signer } from "../../signer";
import { type Finding, fail, note, pass } from "./finding";

/** No provider answers to this name, so that what is signed here serves nowhere. */
const DRY_AUDIENCE = "urn:feed-for-excel:check";

/** Checks each key of a client: where it is kept, its size, and that it signs what its public half verifies. */
export async function checkKeys(client: Client, settings: Settings, nowMs: number): Promise<Finding[]> {
  const findings = client.signers.map(async (signer, index) => [
    index === 0 ? checkPlace(settings) : checkFile(settings.FEED_PREVIOUS_PRIVATE_KEY_FILE),
    await checkSize(signer, index),
    await checkSignature(client.clientId, signer, nowMs),
  ]);
  return (await Promise.all(findings)).flat();
}

function checkPlace({ FEED_PRIVATE_KEY_FILE, FEED_PRIVATE_KEY }: Settings): Finding {
  if (FEED_PRIVATE_KEY_FILE) return checkFile(FEED_PRIVATE_KEY_FILE);
  if (FEED_PRIVATE_KEY) {
    return note(
      "FEED_PRIVATE_KEY holds the key itself: a file of yours alone (FEED_PRIVATE_KEY_FILE) is seen by fewer.",
    );
  }
  return pass("The private key stays with the program of FEED_SIGNER_COMMAND.");
}

/** A file that others may read is refused where the settings are read, so one that was read is the person's own. */
function checkFile(path = ""): Finding {
  if (process.platform === "win32") return note(`Who may read ${path} is not seen from here. See: icacls "${path}"`);
  return pass(`Nobody else may read ${path}.`);
}

async function checkSize({ keyId, publicKey }: Signer, index: number): Promise<Finding> {
  const { bits, thumbprint } = await describeKey(publicKey);
  const which = index === 0 ? "Key" : "Previous key";
  const text = `${which} "${keyId}": RSA, ${bits} bits, thumbprint ${thumbprint}.`;
  return keyId === "" ? fail(`${which} without a key id. Set what the provider issued for it.`) : pass(text);
}

async function checkSignature(clientId: string, signer: Signer, nowMs: number): Promise<Finding> {
  try {
    const { assertion } = await signAssertion(clientId, signer, DRY_AUDIENCE, nowMs);
    const [input, signature = ""] = assertion.split(/\.(?=[^.]*$)/);
    const isValid = verify("sha256", Buffer.from(input!), signer.publicKey, Buffer.from(signature, "base64url"));
    if (isValid) return pass(`Key "${signer.keyId}" signs, and its public half verifies the signature.`);
    return fail(`What key "${signer.keyId}" signs, its public half does not verify. Check that both are of one pair.`);
  } catch (error) {
    return fail(`Key "${signer.keyId}" does not sign. ${(error as Error).message}`);
  }
}
