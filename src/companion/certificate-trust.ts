import { X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { toCertificatePaths } from "./certificate";
import { requireTool, runTool, succeeds } from "./machine";

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
    const words = ["-user", "-verifystore", "Root", toFingerprint(folder)];
    return succeedsIfPresent("certutil", words, environment);
  }
  if (platform !== "darwin") return undefined;
  const words = ["verify-cert", "-L", "-q", "-p", "ssl", "-s", "localhost", "-c", cert, "-c", authority];
  return succeedsIfPresent("security", words, environment);
}

/** Gives the SHA-1 fingerprint of a folder's authority, by which the systems' tools name it. */
export function toFingerprint(folder: string): string {
  return new X509Certificate(readFileSync(toCertificatePaths(folder).authority)).fingerprint.replaceAll(":", "");
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
  const waiting = { environment, timeoutMs: 0 };
  if (platform === "win32") {
    await requireTool(NOT_TRUSTED, "certutil", ["-user", "-addstore", "Root", authority], waiting);
    return true;
  }
  if (platform !== "darwin") return false;
  const words = ["add-trusted-cert", "-r", "trustRoot", "-p", "ssl", "-k", toKeychain(), authority];
  await requireTool(NOT_TRUSTED, "security", words, waiting);
  return true;
}

const NOT_TRUSTED = "The certificate was not trusted";

/**
 * Takes back what `installTrust` did, by the authority's fingerprint; what is gone already needs nothing.
 * @throws Error of the system's tool
 */
export async function removeTrust(
  fingerprint: string,
  environment: NodeJS.ProcessEnv,
  platform: NodeJS.Platform,
): Promise<void> {
  const waiting = { environment, timeoutMs: 0 };
  if (!(await isStored(fingerprint, environment, platform))) return;
  if (platform === "win32") {
    await requireTool(STILL_TRUSTED, "certutil", ["-user", "-delstore", "Root", fingerprint], waiting);
  }
  if (platform === "darwin") {
    // -t takes the person's trust settings away with the certificate.
    const words = ["delete-certificate", "-Z", fingerprint, "-t", toKeychain()];
    await requireTool(STILL_TRUSTED, "security", words, waiting);
  }
}

const STILL_TRUSTED = "The certificate is still trusted";

/** Whether the person's own store holds an authority. */
async function isStored(
  fingerprint: string,
  environment: NodeJS.ProcessEnv,
  platform: NodeJS.Platform,
): Promise<boolean> {
  if (platform === "win32") {
    return succeeds("certutil", ["-user", "-verifystore", "Root", fingerprint], { environment });
  }
  const result = await runTool("security", ["find-certificate", "-a", "-Z", toKeychain()], { environment });
  return result?.output.includes(fingerprint) ?? false;
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

async function succeedsIfPresent(
  program: string,
  words: string[],
  environment: NodeJS.ProcessEnv,
): Promise<boolean | undefined> {
  const result = await runTool(program, words, { environment });
  return result && result.code === 0;
}
