import type { PeerCertificate } from "node:tls";

const LONGEST_NAME = 80;
/** Node's codes for a certificate whose authority it does not know. */
const UNKNOWN_AUTHORITY = /^(DEPTH_ZERO_)?SELF_SIGNED_CERT|^UNABLE_TO_(GET_ISSUER|VERIFY_LEAF)/;
const TRUST_CURE =
  "if a proxy or a guard of this computer inspects https, set NODE_EXTRA_CA_CERTS to a file with the certificate of its authority (PEM)";

/** A connection that failed on its way, by a proxy or by who has signed a certificate. */
export class NetworkFailure extends Error {
  /**
   * @param message Words that follow "could not be reached: ", without any password.
   * @param cure Words that say what to do, without a full stop.
   */
  constructor(
    message: string,
    readonly cure: string,
  ) {
    super(message);
  }
}

/** Finds the failure of the way in an error, or in what caused it. */
export function findNetworkFailure(error: unknown): NetworkFailure | undefined {
  return [error, Object(error).cause].find((each) => each instanceof NetworkFailure);
}

/**
 * Describes a certificate that is not trusted; gives any other error as it is.
 * @param issuer The name of its issuer, where it is known.
 * @param whose Whose certificate it is.
 */
export function toCertificateFailure(error: Error & { code?: string }, issuer: string, whose = "its"): Error {
  if (!UNKNOWN_AUTHORITY.test(error.code ?? "")) return error;
  const by = issuer && ` of "${issuer}"`;
  return new NetworkFailure(`${whose} certificate${by} is not trusted here (${error.code})`, TRUST_CURE);
}

/** Gives the name of a certificate's issuer, which anybody can choose, for a sentence. */
export function toIssuerName({ issuer }: Partial<PeerCertificate>): string {
  const name = String(issuer?.CN ?? issuer?.O ?? "");
  return name.replaceAll(/[\p{C}"]+/gu, " ").slice(0, LONGEST_NAME);
}
