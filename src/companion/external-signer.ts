import { type ChildProcess, spawn } from "node:child_process";
import { type KeyObject, verify } from "node:crypto";
import { basename } from "node:path";
import pLimit from "p-limit";
import { type Signer, SignerFailure } from "./assertion";
import { isOfProvider, NETWORK_SETTINGS } from "./configuration/settings";
import { SETTING_NAMES } from "./configuration/sources";

const TIMEOUT_MS = 10_000;
const OUTPUT_LIMIT_BYTES = 64 * 1024;
/** Concurrent processes: a card may sign one at a time, and a crowd of requests must not fill the machine. */
const AT_ONCE = 4;
/** Windows has no process groups, and opens a console for a detached process. */
const HAS_GROUPS = process.platform !== "win32";

const TOO_LATE = "did not end in time, and was ended. Run it by hand: it may be asking for something.";
const TOO_MUCH = "wrote far more than a signature, and was ended. Run it by hand.";
const CHECK_PATH = "Check its path and its rights.";

/**
 * Creates the signer of a private key in another program, such as a tool for a card, an HSM or a key service. The
 * program reads the bytes from standard input and writes the bare signature (PKCS#1 v1.5 over SHA-256) to standard
 * output, as `openssl dgst -sha256 -sign key.pem` does.
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
  const limit = pLimit(AT_ONCE);
  return {
    keyId,
    publicKey,
    async sign(bytes) {
      const signature = await limit(runProgram, command, bytes, timeoutMs);
      if (verify("sha256", bytes, publicKey, signature)) return signature;
      throw new SignerFailure(
        `What the signing program ${toName(command)} wrote is no RS256 signature of the configured public key. Check that both halves are of one key, and that the program writes the bare signature.`,
      );
    },
  };
}

/** Runs the program. Only its exit is reported, since its error output may hold a PIN. */
function runProgram(command: readonly string[], bytes: Uint8Array, timeoutMs: number): Promise<Buffer> {
  const [program = "", ...words] = command;
  const options = { detached: HAS_GROUPS, env: toEnvironment(process.env), windowsHide: true };
  return new Promise((resolve, reject) => {
    const child = spawn(program, words, { ...options, stdio: ["pipe", "pipe", "ignore"] });
    const chunks: Buffer[] = [];
    let sizeBytes = 0;
    let failure: string | undefined;
    const end = (how: string) => {
      failure ??= how;
      endGroup(child);
    };
    const timer = setTimeout(() => end(TOO_LATE), timeoutMs);
    child.stdout?.on("data", (chunk: Buffer) => {
      sizeBytes += chunk.length;
      if (sizeBytes > OUTPUT_LIMIT_BYTES) end(TOO_MUCH);
      else chunks.push(chunk);
    });
    // A program that exits without reading all input reports that by its exit code.
    child.stdin?.on("error", () => {});
    child.stdin?.end(bytes);
    const settle = (how: string | undefined) => {
      clearTimeout(timer);
      if (how === undefined) resolve(Buffer.concat(chunks));
      else reject(new SignerFailure(`The signing program ${toName(command)} ${how}`));
    };
    child.once("error", ({ code }: NodeJS.ErrnoException) => settle(`cannot be started (${code}). ${CHECK_PATH}`));
    child.once("close", (code) => settle(failure ?? toEnding(code)));
  });
}

/** Ends the program with its children; a pipe that one of them still holds is not awaited. */
function endGroup(child: ChildProcess): void {
  try {
    if (HAS_GROUPS && child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
    else child.kill("SIGKILL");
  } catch {
    // It has just exited.
  }
  child.stdout?.destroy();
}

/** Removes the companion's settings, above all keys and passphrases; a key service is reached by the same network. */
function toEnvironment(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const isOwn = (name: string) =>
    isOfProvider(name) || (SETTING_NAMES.includes(name) && !NETWORK_SETTINGS.includes(name));
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !isOwn(name.toUpperCase())));
}

function toEnding(code: number | null): string | undefined {
  if (code === 0) return undefined;
  return `ended ${code === null ? "by a signal" : `with exit code ${code}`}. Run it by hand to see why.`;
}

/** Without the arguments, which may hold a secret. */
const toName = ([program = ""]: readonly string[]): string => `"${basename(program)}"`;
