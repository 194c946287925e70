import type { FastifyInstance } from "fastify";

/** Addresses of a firm's own pages, by the name of the page that each replaces. */
export type FirmPages = Readonly<Partial<Record<"privacy" | "support" | "terms", string>>>;

/** Leads from the add-in's own pages about privacy, support and terms, in both languages, to the firm's. */
export function addFirmPages(scope: FastifyInstance, pages: FirmPages): void {
  for (const [name, address] of Object.entries(pages)) {
    if (address === undefined) continue;
    for (const folder of ["/reference", "/reference/ja"]) {
      scope.get(`${folder}/${name}.html`, async (_request, reply) => reply.redirect(address));
    }
  }
}
