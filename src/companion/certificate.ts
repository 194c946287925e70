import { createPrivateKey, X509Certificate } from "node:crypto";
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { toCommand } from "./program";
import { isAbsent, readClosedFile } from "./trusted-file";

const DAY_MS = 24 * 3600 * 1000;
const LIFETIME_DAYS = 365;
const RENEWAL_MS = 30 * DAY_MS;
const WARNING_MS = 7 * DAY_MS;
const NAMES = ["127.0.0.1", "localhost"];
const FILE = "certificate file";
const RENEW = toCommand("certs --renew");
const TRUST = toCommand("certs --trust");

/** A certificate with its key and the authority that signed it, all PEM. */
export interface Certificate {
  cert: string;
  key: string;
  authority: string;
}

/** The facts of a certificate. */
interface CertificateFacts {
  /** Its names and addresses. */
  names: string[];
  signedBy: string;
  startsMs: number;
  /** Its own end or its authority's, whichever is earlier. */
  endsMs: number;
}

/** The folder of Office's own tools: a certificate that they made is used here too. */
export const CERTIFICATE_FOLDER = join(homedir(), ".office-addin-dev-certs");

/** Gives the paths of the certificate in a folder. */
export function toCertificatePaths(folder: string) {
  return {
    authority: join(folder, "ca.crt"),
    cert: join(folder, "localhost.crt"),
    key: join(folder, "localhost.key"),
  };
}

/**
 * Gives the certificate of https://localhost; creates it on first use and renews it before its end. Trusting it remains
 * the person's own act.
 * @param nowMs Milliseconds since 1970.
 * @returns The certificate and one line for the person: how to trust it.
 * @throws Error with a sentence when its files do not belong together.
 */
export async function ensureCertificate(
  folder: string,
  nowMs: number,
): Promise<{ certificate: Certificate; advice: string }> {
  const current = readCertificate(folder);
  if (current !== undefined && !isDue(describeCertificate(current), nowMs)) {
    return { certificate: current, advice: `Once per machine, trust the certificate: ${TRUST}` };
  }
  const certificate = await renewCertificate(folder);
  if (current === undefined) return { certificate, advice: `Trust the new certificate: ${TRUST}` };
  const day = toDay(describeCertificate(current).endsMs);
  return { certificate, advice: `The certificate that ends on ${day} was replaced. Trust the new one: ${TRUST}` };
}

/**
 * Reads the certificate of a folder, if there is one, and restricts its key to its owner.
 * @throws Error with a sentence when its files do not belong together.
 */
export function readCertificate(folder: string): Certificate | undefined {
  const paths = toCertificatePaths(folder);
  const present = Object.values(paths).filter((path) => !isAbsent(path, FILE));
  if (present.length === 0) return undefined;
  if (present.length < 3) throw new Error(`The certificate in ${folder} is incomplete. Make a new one: ${RENEW}`);
  const certificate = {
    cert: readClosedFile(paths.cert, FILE, 0o644),
    key: readClosedFile(paths.key, "key file", 0o600),
    authority: readClosedFile(paths.authority, FILE, 0o644),
  };
  if (!isWhole(certificate)) {
    throw new Error(`The files of the certificate in ${folder} do not belong together. Make a new one: ${RENEW}`);
  }
  return certificate;
}

/** Creates a new certificate in a folder; its authority's key is not stored. */
export async function renewCertificate(folder: string): Promise<Certificate> {
  // The library that issues it is large, and a certificate serves for a year.
  const { issueCertificate } = await import("./certificate/issue");
  const startsMs = Date.now();
  const endsMs = startsMs + LIFETIME_DAYS * DAY_MS;
  const certificate = await issueCertificate(NAMES, new Date(startsMs), new Date(endsMs));
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  // First into a folder that only this user may enter: a certificate that is cut short never takes another's place.
  const draft = mkdtempSync(join(folder, "new-"));
  try {
    const paths = toCertificatePaths(draft);
    writeFileSync(paths.key, certificate.key, { mode: 0o600 });
    writeFileSync(paths.cert, certificate.cert);
    writeFileSync(paths.authority, certificate.authority);
    for (const [name, path] of Object.entries(toCertificatePaths(folder))) {
      renameSync(paths[name as keyof typeof paths], path);
    }
  } finally {
    rmSync(draft, { recursive: true });
  }
  return readCertificate(folder) as Certificate;
}

/** @throws Error of the crypto library when a part is no certificate. */
export function describeCertificate({ cert, authority }: Certificate): CertificateFacts {
  const own = new X509Certificate(cert);
  const ends = [own, new X509Certificate(authority)];
  return {
    names: (own.subjectAltName ?? "").split(", ").map((name) => name.replace(/^[^:]*:/, "")),
    signedBy: own.issuer.match(/^O=(.*)$/m)?.[1] ?? own.issuer.replaceAll("\n", ", "),
    startsMs: Date.parse(own.validFrom),
    endsMs: Math.min(...ends.map(({ validTo }) => Date.parse(validTo))),
  };
}

/** Warns of the end of the person's own certificate, from a week ahead. */
export function warnOfEnd(certificate: Certificate, nowMs: number): string | undefined {
  const { endsMs } = describeCertificate(certificate);
  if (endsMs - nowMs >= WARNING_MS) return undefined;
  const verb = endsMs <= nowMs ? "ended" : "ends";
  return `The certificate of TLS_CERT_FILE ${verb} on ${toDay(endsMs)}: ask whoever issued it for the next one.`;
}

/** Formats a time as a date. */
export const toDay = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/** Whether renewal is due. Office's tools make certificates of 30 days, so the limit is relative to the lifetime. */
function isDue({ startsMs, endsMs }: CertificateFacts, nowMs: number): boolean {
  return endsMs - nowMs < Math.min(RENEWAL_MS, (endsMs - startsMs) / 4);
}

function isWhole({ cert, key, authority }: Certificate): boolean {
  try {
    const own = new X509Certificate(cert);
    return own.checkPrivateKey(createPrivateKey(key)) && own.verify(new X509Certificate(authority).publicKey);
  } catch {
    return false;
  }
}
