import type { Reading } from "../../companion/configuration/reading";
import type { FirmPages } from "../firm-pages";

/** Reads the addresses of a firm's own pages about privacy, support and terms. */
export function readFirmPages(reading: Reading): FirmPages {
  return {
    privacy: readAddress(reading, "PRIVACY_URL"),
    support: readAddress(reading, "SUPPORT_URL"),
    terms: readAddress(reading, "TERMS_URL"),
  };
}

function readAddress({ settings, mistakes }: Reading, name: string): string | undefined {
  const { [name]: text } = settings;
  if (text === undefined) return undefined;
  if (URL.canParse(text) && new URL(text).protocol === "https:") return new URL(text).href;
  mistakes.push(`${name} must be the address of a page that begins with https.`);
  return undefined;
}
