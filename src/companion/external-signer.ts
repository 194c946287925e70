import { execFile } from "node:child_process";
import { type KeyObject, verify } from "node:crypto";
import { basename } from "node:path";
import type { Signer } from "./signer";

const TIMEOUT_MS = 10_000;
const OUTPUT_LIMIT_BYTES = 64 * 1024;
/** A card may sign one at a time, and a process each would let any crowd of requests fill the machine. */
const AT_ONCE = 4;

/**
 * Creates the signer of a private key that another program keeps, such as the tool of a card, an HSM or a key service.
 * The program gets the bytes on its standard input and writes the bare signature (PKCS#1 v1.5 over SHA-256) to its
 * standard output, as `openssl dgst -sha256 -sign key.pem` does.
 * @param publicKey Every signature is verified with it before it is used.
 * @param command The program and its arguments, e.g. ["openssl", "dgst", "-sha256", "-sign", "key.pem"]; no shell reads them.
 * @param timeoutMs Milliseconds that one signature may take; default 10000.
 */
export function createExternalSigner(
  keyId: string,
  publicKey: KeyObject,
  command: readonly string[],
  timeoutMs = TIMEOUT_MS,
): Signer {
  const lanes: Promise<unknown>[] = Array.from({ length: AT_ONCE }, () => Promise.resolve());
  return {
    keyId,
    publicKey,
    async sign(bytes) {
      const lane = lanes.shift()!;
      const signing = lane.then(() => runProgram(command, bytes, timeoutMs));
      lanes.push(signing.catch(() => {}));
      const signature = await signing;
      if (verify("sha256", bytes, publicKey, signature)) return signature;
      throw new Error(
        `What the signing program ${toName(command)} wrote is no RS256 signature of the configured public key. Check that both halves are of one key, and that the program writes the bare signature.`,
      );
    },
  };
}

/** The program may say anything of itself in its errors, a PIN included, so that only how it ended is told. */
function runProgram(command: readonly string[], bytes: Uint8Array, timeoutMs: number): Promise<Buffer> {
  const [program = "", ...words] = command;
  const limits = { timeout: timeoutMs, killSignal: "SIGKILL", maxBuffer: OUTPUT_LIMIT_BYTES } as const;
  return new Promise((resolve, reject) => {
    const options = { ...limits, encoding: "buffer", env: toEnvironment(process.env), windowsHide: true } as const;
    const child = execFile(program, words, options, (error, output) => {
      if (error === null) resolve(output);
      else reject(toSentence(command, error));
    });
    // A program that ends before it has read all says so by its exit code.
    child.stdin?.on("error", () => {});
    child.stdin?.end(bytes);
  });
}

/** None of the companion's settings is the program's business, least of all a key or a passphrase. */
function toEnvironment(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !name.toUpperCase().startsWith("FEED_")));
}

function toSentence(command: readonly string[], error: Error & { code?: unknown; killed?: boolean }): Error {
  const name = toName(command);
  if (error.code === "ERR_CHILD_PROCESS_STDIO_MAXBUFFER") {
    return new Error(`The signing program ${name} wrote far more than a signature, and was ended. Run it by hand.`);
  }
  if (error.killed) {
    return new Error(
      `The signing program ${name} did not end in time, and was ended. Run it by hand: it may be asking for something.`,
    );
  }
  if (typeof error.code === "string") {
    return new Error(`The signing program ${name} cannot be started (${error.code}). Check its path and its rights.`);
  }
  const ending = typeof error.code === "number" ? `with exit code ${error.code}` : "by a signal";
  return new Error(`The signing program ${name} ended ${ending}. Run it by hand to see why.`);
}

/** Its arguments may hold a secret. */
const toName = ([program = ""]: readonly string[]): string => `"${basename(program)}"`;
