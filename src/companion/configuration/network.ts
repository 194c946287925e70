import { readFileSync } from "node:fs";
import type { Network } from "../network";
import { readBypass, readProxy } from "../network/proxy";
import { readTrustedFile } from "../trusted-file";
import { toCertificate } from "./listening";
import { attempt, type Reading } from "./reading";

/**
 * Reads how other servers are reached. A mistake counts only where a server needs it: other programs share the names.
 * @param further Addresses of servers beside the provider.
 */
export function readNetwork({ settings, mistakes }: Reading, further: readonly string[]): Network {
  const name = settings.HTTPS_PROXY ? "HTTPS_PROXY" : "HTTP_PROXY";
  const { [name]: text, NO_PROXY = "", NODE_EXTRA_CA_CERTS: path } = settings;
  const reading: Reading = { settings, mistakes: [] };
  const proxy = text ? attempt(reading, name, () => readProxy(name, text)) : undefined;
  const isDirect = attempt(reading, "NO_PROXY", () => readBypass(NO_PROXY)) ?? readBypass("");
  // Node has read its own variable, and has warned where it could not.
  const isExtraKnown = path === process.env.NODE_EXTRA_CA_CERTS;
  const lenient = isExtraKnown ? { settings, mistakes: [] } : reading;
  const extra = path ? attempt(lenient, "NODE_EXTRA_CA_CERTS", () => readAuthorities(path, isExtraKnown)) : undefined;
  const servers = [settings.FEED_BASE_URL ?? "", ...further];
  if (servers.some((url) => URL.canParse(url) && !isDirect(new URL(url)))) mistakes.push(...reading.mistakes);
  return { pickProxy: (url) => (isDirect(url) ? undefined : proxy), extra, isExtraKnown };
}

/** @throws Error */
function readAuthorities(path: string, isKnown: boolean): string {
  const pem = isKnown ? readFileSync(path, "utf8") : readTrustedFile(path, "file of certificate authorities");
  toCertificate(pem);
  return pem;
}
