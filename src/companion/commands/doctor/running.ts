import { X509Certificate } from "node:crypto";
import { type IncomingMessage, request as requestPlain } from "node:http";
import { request as requestSecure } from "node:https";
import type { TLSSocket } from "node:tls";
import pkg from "../../../../package.json";
import { CLIENT_HEADER, CLIENT_NAME, REFUSAL_HEADER } from "../../../contract/companion-api";
import { readCertificate } from "../../certificate";
import type { Configuration } from "../../configuration";
import type { Machine } from "../../machine";
import { toIssuerName } from "../../network/failure";
import { START_FOR_EXCEL, toStartAt } from "../../program";
import { type Finding, fail, pass } from "../findings";

const TIMEOUT_MS = 5_000;
const LARGEST_ANSWER = 64 * 1024;

/** What answers at an address. */
interface Answer {
  isCompanion: boolean;
  /** Absent where the companion tells it to paired pages alone. */
  version?: string;
  /** Its certificate; absent without https. */
  certificate?: X509Certificate;
}

/** Checks what has the companion's port: this companion with its present certificate, another program, or none. */
export async function checkRunning({ port, origins, tls }: Configuration, machine: Machine): Promise<Finding> {
  const secure = await probe("https", port);
  if (secure === "refused") return fail(`Nothing runs at port ${port}. Start the companion: ${START_FOR_EXCEL}`);
  if (secure?.isCompanion)
    return checkPresent(secure, port, tls?.cert ?? readCertificate(machine.certificateFolder)?.cert);
  const plain = await probe("http", port);
  if (plain === "refused" || !plain?.isCompanion) {
    const free = toStartAt(port + 1, machine.platform);
    return fail(`Port ${port} is taken by another program. Stop that, or choose another port, such as: ${free}`);
  }
  // A proxy may end https ahead of a companion that others reach.
  if (origins.length > 0) return pass(`The companion runs at port ${port}.`);
  return fail(`The companion runs without https, which Excel needs. Stop it, and run: ${START_FOR_EXCEL}`);
}

function checkPresent(answer: Answer, port: number, cert: string | undefined): Finding {
  const restart = "Stop it, and start it again.";
  if (answer.version !== undefined && answer.version !== pkg.version) {
    return fail(`The companion that runs is version ${answer.version}, and this is ${pkg.version}. ${restart}`);
  }
  const { certificate } = answer;
  const present = cert === undefined ? undefined : new X509Certificate(cert);
  if (certificate && present && certificate.issuer !== present.issuer) {
    const issuer = toIssuerName(certificate.toLegacyObject());
    return fail(
      `A program of this computer, such as a virus guard, puts a certificate of "${issuer}" before https://localhost:${port}. Take localhost out of its inspection of https, or set NODE_EXTRA_CA_CERTS to a file with that authority's certificate (PEM).`,
    );
  }
  if (present && present.fingerprint256 !== certificate?.fingerprint256) {
    return fail(`The companion that runs has another certificate than the present one. ${restart}`);
  }
  return pass(`The companion runs at https://localhost:${port}.`);
}

/** Asks a port of this computer who is there; undefined where something is that does not answer such a request. */
function probe(scheme: "http" | "https", port: number): Promise<Answer | "refused" | undefined> {
  return new Promise((resolve) => {
    const request = scheme === "https" ? requestSecure : requestPlain;
    const headers = { [CLIENT_HEADER]: CLIENT_NAME };
    // Nothing secret is sent, and an untrusted certificate is what is looked for.
    const options = { host: "localhost", port, path: "/companion/config", headers, rejectUnauthorized: false };
    const sent = request({ ...options, agent: false, timeout: TIMEOUT_MS }, (response) => {
      readAnswer(response).then(resolve, () => resolve(undefined));
    });
    sent.on("timeout", () => sent.destroy());
    sent.on("error", (error: NodeJS.ErrnoException) => {
      resolve(error.code === "ECONNREFUSED" ? "refused" : undefined);
    });
    sent.end();
  });
}

async function readAnswer(response: IncomingMessage): Promise<Answer> {
  // Without https its socket has no certificate.
  const certificate = (response.socket as Partial<TLSSocket>).getPeerX509Certificate?.();
  let text = "";
  for await (const part of response) {
    text += part;
    if (text.length > LARGEST_ANSWER) break;
  }
  if (response.headers[REFUSAL_HEADER] !== undefined) return { isCompanion: true, certificate };
  const answer = readObject(text);
  return { isCompanion: typeof answer.version === "string" && "mode" in answer, version: answer.version, certificate };
}

function readObject(text: string): { version?: string } {
  try {
    return Object(JSON.parse(text));
  } catch {
    return {};
  }
}
