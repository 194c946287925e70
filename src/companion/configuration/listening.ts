import { createPrivateKey, X509Certificate } from "node:crypto";
import { createSecureContext } from "node:tls";
import { isLoopback } from "../address";
import { readSecretFile, readTrustedFile } from "../trusted-file";
import { attempt, hasPair, type Reading } from "./reading";
import { PRESETS } from "./settings";

/** An own certificate for https with its key, both PEM. */
export interface Tls {
  cert: string;
  key: string;
}

/**
 * Reads the host to listen on. Other machines may reach the companion only with a provider, which requires pairing, and
 * under an https origin.
 */
export function readHost({ settings, mistakes }: Reading, hasProvider: boolean, origins: readonly string[]): string {
  const host = (settings.HOST ?? PRESETS.HOST).replace(/^\[(.*)\]$/, "$1");
  const isHere = isLoopback(host) || host === "::1";
  if (isHere || (hasProvider && origins.some((origin) => origin.startsWith("https:")))) return host;
  mistakes.push(
    "HOST is an address that other machines may reach: that needs a provider, and an https origin in ALLOWED_ORIGINS. Unset HOST to listen on this machine only.",
  );
  return host;
}

/** Reads origins in the browsers' spelling, since they are compared as texts. */
export function readOrigins({ settings, mistakes }: Reading): readonly string[] {
  const { ALLOWED_ORIGINS: text = "" } = settings;
  const origins = text.split(",").map((origin) => origin.trim());
  return origins.filter((origin, index) => {
    const problem = origin === "" ? undefined : findProblem(origin);
    if (problem !== undefined) mistakes.push(`ALLOWED_ORIGINS: ${problem} (number ${index + 1}).`);
    return origin !== "" && problem === undefined;
  });
}

/** Quotes only origins, since an address may hold a password. */
function findProblem(text: string): string | undefined {
  if (!URL.canParse(text) || text.includes("*")) return "write each origin out, such as https://feed.example.com";
  const { origin, protocol, hostname } = new URL(text);
  const isHere = protocol === "http:" && isLoopback(hostname);
  if (protocol !== "https:" && !isHere) return "an origin must begin with https:// (http:// is for this machine only)";
  return origin === text ? undefined : `write ${origin}, as browsers do`;
}

/** Reads the certificate of https with its key; both absent for http, or for a local certificate. */
export function readTls(reading: Reading, nowMs: number): Tls | undefined {
  if (!hasPair(reading, "TLS_CERT_FILE", "TLS_KEY_FILE")) return undefined;
  const { TLS_CERT_FILE: certPath = "", TLS_KEY_FILE: keyPath = "" } = reading.settings;
  const cert = attempt(reading, "TLS_CERT_FILE", () => readOwnCertificate(certPath, nowMs));
  const key = attempt(reading, "TLS_KEY_FILE", () => readTlsKey(keyPath));
  if (cert === undefined || key === undefined) return undefined;
  if (!new X509Certificate(cert).checkPrivateKey(createPrivateKey(key))) {
    reading.mistakes.push(
      "TLS_KEY_FILE is not the key of the certificate in TLS_CERT_FILE: give the two that were made together.",
    );
  } else if (!isServable({ cert, key })) {
    reading.mistakes.push(
      "TLS_CERT_FILE: https cannot be served with it. Give a file in which each certificate is whole, with a key of 2048 bits or more.",
    );
  }
  return { cert, key };
}

/** Whether https can use it: only its library reads the certificates after the first. */
function isServable(tls: Tls): boolean {
  try {
    createSecureContext(tls);
    return true;
  } catch {
    return false;
  }
}

/** @throws Error */
function readOwnCertificate(path: string, nowMs: number): string {
  const cert = readTrustedFile(path, "certificate file");
  const endsMs = Date.parse(toCertificate(cert).validTo);
  if (endsMs <= nowMs) {
    const day = new Date(endsMs).toISOString().slice(0, 10);
    throw new Error(`The certificate ended on ${day}. Give one that is valid.`);
  }
  return cert;
}

/** @throws Error */
export function toCertificate(cert: string): X509Certificate {
  try {
    return new X509Certificate(cert);
  } catch {
    throw new Error("The file holds no certificate in PEM.");
  }
}

/** @throws Error */
function readTlsKey(path: string): string {
  const key = readSecretFile(path, "key file");
  try {
    createPrivateKey(key);
  } catch {
    throw new Error("The file holds no private key in PEM, or an encrypted one: give it without a passphrase.");
  }
  return key;
}
