import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { FastifyInstance, FastifyReply } from "fastify";
import { readDeployment, toManifest } from "./manifest";

/** The built files that name the pages' address, with their types. */
const FILES: Readonly<Record<string, string>> = {
  "manifest.xml": "application/xml; charset=utf-8",
  "functions.json": "application/json; charset=utf-8",
  "functions-ja.json": "application/json; charset=utf-8",
};

/**
 * Serves the manifest and the formulas' metadata for the address by which people reach the companion, so that one build
 * serves every deployment.
 * @param origin That address, such as "https://feed.example.com".
 * @param setHeaders Sets the headers of every page's file.
 */
export function addDeployedFiles(
  scope: FastifyInstance,
  webFolder: string,
  origin: string,
  setHeaders: (reply: FastifyReply) => void,
): void {
  const read = (name: string) => readFileSync(join(webFolder, name), "utf8");
  const { origin: built, namespace } = readDeployment(read("manifest.xml"));
  for (const [name, type] of Object.entries(FILES)) {
    const text =
      name === "manifest.xml" ? toManifest(read(name), { origin, namespace }) : read(name).replaceAll(built, origin);
    scope.get(`/${name}`, async (_request, reply) => {
      setHeaders(reply);
      return reply.type(type).send(text);
    });
  }
}
