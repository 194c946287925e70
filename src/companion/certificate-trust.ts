import { execFile } from "node:child_process";
import { X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { toCertificatePaths } from "./certificate";

const TIMEOUT_MS = 60_000;

const run = promisify(execFile);

/**
 * Whether this person's system trusts the certificate of a folder.
 * @returns undefined where that is unknown: on Linux each browser has its own list.
 */
export async function isTrusted(
  folder: string,
  environment: NodeJS.ProcessEnv,
  platform = process.platform,
): Promise<boolean | undefined> {
  const { cert, authority } = toCertificatePaths(folder);
  if (platform === "win32") {
    const fingerprint = new X509Certificate(readFileSync(authority)).fingerprint.replaceAll(":", "");
    return succeeds("certutil", ["-user", "-verifystore", "Root", fingerprint], environment);
  }
  if (platform !== "darwin") return undefined;
  const words = ["verify-cert", "-L", "-q", "-p", "ssl", "-s", "localhost", "-c", cert, "-c", authority];
  return succeeds("security", words, environment);
}

/**
 * Makes the system trust the certificate of a folder for this person, who may have to agree.
 * @returns False where that would need root, as on Linux.
 * @throws Error of the system's tool.
 */
export async function installTrust(
  folder: string,
  environment: NodeJS.ProcessEnv,
  platform = process.platform,
): Promise<boolean> {
  const { authority } = toCertificatePaths(folder);
  if (platform === "win32") {
    await run("certutil", ["-user", "-addstore", "Root", authority], { env: environment });
    return true;
  }
  if (platform !== "darwin") return false;
  const words = ["add-trusted-cert", "-r", "trustRoot", "-p", "ssl", "-k", toKeychain(), authority];
  await run("security", words, { env: environment });
  return true;
}

/** Describes how to trust the certificate of a folder by hand. */
export function describeTrust(folder: string, platform = process.platform): string[] {
  const { authority } = toCertificatePaths(folder);
  if (platform === "win32") return ["Run, and agree:", `  certutil -user -addstore Root "${authority}"`];
  if (platform === "darwin") {
    const words = `security add-trusted-cert -r trustRoot -p ssl -k "${toKeychain()}" "${authority}"`;
    return ["Run, and agree:", `  ${words}`];
  }
  return [
    "Each browser has a list of its own here.",
    "Chromium, Chrome, Edge (with the tools of NSS, libnss3-tools on Debian):",
    `  certutil -d "sql:$HOME/.pki/nssdb" -A -t C,, -n feed-for-excel -i "${authority}"`,
    "Firefox: Settings > Privacy & Security > View Certificates > Authorities > Import, and choose",
    `  ${authority}`,
  ];
}

const toKeychain = (): string => join(homedir(), "Library", "Keychains", "login.keychain-db");

async function succeeds(program: string, words: string[], env: NodeJS.ProcessEnv): Promise<boolean | undefined> {
  try {
    await run(program, words, { env, timeout: TIMEOUT_MS });
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ENOENT" ? undefined : false;
  }
}
