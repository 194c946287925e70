import type { FastifyInstance } from "fastify";
import type { Reading } from "../companion/configuration/reading";

/** Addresses of a firm's own pages, by the name of the page that each replaces. */
export type FirmPages = Readonly<Partial<Record<"privacy" | "support" | "terms", string>>>;
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

/** Leads from the add-in's own pages about privacy, support and terms, in both languages, to the firm's. */
export function addFirmPages(scope: FastifyInstance, pages: FirmPages): void {
  for (const [name, address] of Object.entries(pages)) {
    if (address === undefined) continue;
    for (const folder of ["/reference", "/reference/ja"]) {
      scope.get(`${folder}/${name}.html`, async (_request, reply) => reply.redirect(address));
    }
  }
}
