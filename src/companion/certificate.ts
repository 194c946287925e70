import { X509Certificate } from "node:crypto";
import { chmodSync, existsSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { generateCertificates } from "office-addin-dev-certs";

const LIFETIME_DAYS = 365;
const WARNING_MS = 7 * 24 * 3600 * 1000;
const NAMES = ["127.0.0.1", "localhost"];

/** A certificate for localhost with its key and the authority that signed it, all PEM. */
export interface Certificate {
  cert: string;
  key: string;
  authority: string;
}

/** The folder that Office's own tools keep developer certificates in, so one that is trusted already serves here too. */
export const CERTIFICATE_FOLDER = join(homedir(), ".office-addin-dev-certs");

/**
 * Loads the certificate of https://localhost, made on first use; trusting it stays the person's own act.
 * @param nowMs Milliseconds since 1970.
 * @returns The certificate and one line for the person: how to trust it, or when it ends.
 * @throws Error with a sentence when it is incomplete or has ended.
 */
export async function loadCertificate(
  folder: string,
  nowMs: number,
): Promise<{ certificate: Certificate; advice: string }> {
  const paths = {
    authority: join(folder, "ca.crt"),
    cert: join(folder, "localhost.crt"),
    key: join(folder, "localhost.key"),
  };
  if (!existsSync(paths.authority)) {
    await generateCertificates(paths.authority, paths.cert, paths.key, LIFETIME_DAYS, NAMES);
  }
  if (!existsSync(paths.cert) || !existsSync(paths.key)) {
    throw new Error(`The certificate in ${folder} is incomplete: delete the folder and start again.`);
  }
  chmodSync(paths.key, 0o600);
  const read = (path: string) => readFileSync(path, "utf8");
  const certificate = { cert: read(paths.cert), key: read(paths.key), authority: read(paths.authority) };
  return { certificate, advice: toAdvice(certificate, paths.authority, nowMs) };
}

function toAdvice({ cert, authority }: Certificate, path: string, nowMs: number): string {
  const endsMs = Math.min(...[cert, authority].map((pem) => Date.parse(new X509Certificate(pem).validTo)));
  const day = new Date(endsMs).toISOString().slice(0, 10);
  const renew = `delete the folder of ${path}, start again and trust the new one`;
  if (endsMs <= nowMs) throw new Error(`The certificate ended on ${day}: ${renew}.`);
  if (endsMs - nowMs < WARNING_MS) return `The certificate ends on ${day}: ${renew}.`;
  return `Once per machine, trust the certificate: add ${path} to the trusted root authorities of your system or browser.`;
}
