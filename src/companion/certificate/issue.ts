// The library below needs these functions of reflection before it loads.
import "reflect-metadata";
import { KeyObject, webcrypto } from "node:crypto";
import { isIP } from "node:net";
import {
  AuthorityKeyIdentifierExtension,
  BasicConstraintsExtension,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  type JsonGeneralName,
  type JsonName,
  KeyUsageFlags,
  KeyUsagesExtension,
  SubjectAlternativeNameExtension,
  SubjectKeyIdentifierExtension,
  type X509Certificate,
  X509CertificateGenerator,
} from "@peculiar/x509";

const ALGORITHM = {
  name: "RSASSA-PKCS1-v1_5",
  hash: "SHA-256",
  modulusLength: 2048,
  publicExponent: new Uint8Array([1, 0, 1]),
};
const NAME = "Developer CA for Microsoft Office Add-ins";
/** The authority's name is that of Office's own tools, which find and remove their authority by it. */
const AUTHORITY: JsonName = [{ CN: [NAME] }, { C: ["US"] }, { ST: ["WA"] }, { L: ["Redmond"] }, { O: [NAME] }];

/** A certificate with its key and its authority, all PEM. */
interface Issued {
  cert: string;
  key: string;
  authority: string;
}

/**
 * Issues a certificate for https with an authority of its own, whose key is dropped.
 * @param names Names and addresses of this machine; the first is the subject.
 */
export async function issueCertificate(names: readonly string[], notBefore: Date, notAfter: Date): Promise<Issued> {
  const [own, authority] = await Promise.all([createKeys(), createKeys()]);
  const validity = { notBefore, notAfter, signingKey: authority.privateKey, signingAlgorithm: ALGORITHM };
  const authorityId = await SubjectKeyIdentifierExtension.create(authority.publicKey);
  const root = await X509CertificateGenerator.create({
    ...validity,
    subject: AUTHORITY,
    issuer: AUTHORITY,
    publicKey: authority.publicKey,
    extensions: [
      new BasicConstraintsExtension(true, 0, true),
      new KeyUsagesExtension(KeyUsageFlags.keyCertSign, true),
      authorityId,
    ],
  });
  const leaf = await X509CertificateGenerator.create({
    ...validity,
    subject: [{ CN: [names[0] ?? ""] }],
    issuer: AUTHORITY,
    publicKey: own.publicKey,
    extensions: [
      new BasicConstraintsExtension(false, undefined, true),
      new KeyUsagesExtension(KeyUsageFlags.digitalSignature | KeyUsageFlags.keyEncipherment, true),
      new ExtendedKeyUsageExtension([ExtendedKeyUsage.serverAuth]),
      new SubjectAlternativeNameExtension(names.map(toGeneralName)),
      await SubjectKeyIdentifierExtension.create(own.publicKey),
      await AuthorityKeyIdentifierExtension.create(authority.publicKey),
    ],
  });
  const key = KeyObject.from(own.privateKey).export({ type: "pkcs8", format: "pem" }).toString();
  return { cert: toPem(leaf), key, authority: toPem(root) };
}

const createKeys = () => webcrypto.subtle.generateKey(ALGORITHM, true, ["sign", "verify"]);

const toGeneralName = (value: string): JsonGeneralName => ({ type: isIP(value) ? "ip" : "dns", value });

const toPem = (certificate: X509Certificate): string => `${certificate.toString("pem")}\n`;
