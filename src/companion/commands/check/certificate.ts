import { CERTIFICATE_FOLDER, describeCertificate, readCertificate, toDay, warnOfEnd } from "../../certificate";
import { isTrusted } from "../../certificate-trust";
import type { Tls } from "../../configuration/listening";
import type { Surroundings } from "../command";
import { type Finding, fail, note, pass } from "./finding";

/** Checks the certificate of https: one's own where there is one, else that of the certificate folder. */
export async function checkCertificate(tls: Tls | undefined, surroundings: Surroundings): Promise<Finding[]> {
  const { certificateFolder: folder = CERTIFICATE_FOLDER, nowMs = Date.now } = surroundings;
  if (tls !== undefined) return [checkOwn(tls, nowMs())];
  try {
    const certificate = readCertificate(folder);
    if (certificate === undefined) {
      return [note(`There is no certificate for https yet, which Excel needs. "start --https" makes one.`)];
    }
    const { endsMs } = describeCertificate(certificate);
    const until = toDay(endsMs);
    if (endsMs <= nowMs())
      return [note(`The certificate of https ended on ${until}. "start --https" makes a new one.`)];
    return [pass(`The certificate of https serves until ${until}.`), await checkTrust(folder, surroundings)];
  } catch (error) {
    return [fail((error as Error).message)];
  }
}

function checkOwn(tls: Tls, nowMs: number): Finding {
  const certificate = { ...tls, authority: tls.cert };
  const warning = warnOfEnd(certificate, nowMs);
  if (warning !== undefined) return fail(warning);
  return pass(`The certificate of TLS_CERT_FILE serves until ${toDay(describeCertificate(certificate).endsMs)}.`);
}

async function checkTrust(folder: string, { environment, platform }: Surroundings): Promise<Finding> {
  const isTrustedHere = await isTrusted(folder, environment, platform);
  if (isTrustedHere === undefined) {
    return note("Whether the certificate is trusted is not seen from here. How: npm run companion -- certs --trust");
  }
  if (isTrustedHere) return pass("This system trusts the certificate.");
  return fail("This system does not trust the certificate. Run: npm run companion -- certs --trust");
}
