import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Server } from "@modelcontextprotocol/sdk/server/index.js";
import {
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  McpError,
  ReadResourceRequestSchema,
} from "@modelcontextprotocol/sdk/types.js";

const INDEX = "feed://formulas";
const SKILL = "feed://skill";
/** A formula's page, also in Japanese. */
const PAGE = /^feed:\/\/formulas\/(ja\/)?([A-Z.]+)$/;
const IN_JAPANESE = { uriTemplate: `${INDEX}/ja/{name}`, name: "A formula in Japanese", mimeType: "text/markdown" };
/** The protocol's code of a resource that is not there. */
const NOT_FOUND = -32_002;

/**
 * Serves the formulas' reference, as the build has made it of their table: a list, a page for each, and the skill.
 * @param webFolder the folder of the built pages
 */
export function addResources(server: Server, webFolder: string): void {
  const read = (file: string) => readFileSync(join(webFolder, "reference", file), "utf8");
  server.setRequestHandler(ListResourcesRequestSchema, () => ({
    resources: [
      toResource(INDEX, "Formulas", "All formulas with what each gives"),
      toResource(SKILL, "Skill", "How to write the formulas: rules, common mistakes, sheets"),
      ...listFormulas(read).map(({ id, gives }) => toResource(`${INDEX}/${id}`, `FEED.${id}`, gives)),
    ],
  }));
  server.setRequestHandler(ListResourceTemplatesRequestSchema, () => ({ resourceTemplates: [IN_JAPANESE] }));
  server.setRequestHandler(ReadResourceRequestSchema, ({ params: { uri } }) => {
    const text = findText(uri, read);
    if (text === undefined) throw new McpError(NOT_FOUND, `There is no such resource. ${INDEX} lists the formulas.`);
    return { contents: [{ uri, mimeType: "text/markdown", text }] };
  });
}

type Read = (file: string) => string;

const toResource = (uri: string, name: string, description: string) => {
  return { uri, name, description, mimeType: "text/markdown" };
};

function listFormulas(read: Read): { id: string; gives: string }[] {
  const families: { formulas: { id: string; gives: string }[] }[] = JSON.parse(read("families.json"));
  return families.flatMap(({ formulas }) => formulas);
}

function findText(uri: string, read: Read): string | undefined {
  const formulas = listFormulas(read);
  if (uri === SKILL) return read("skill.md");
  if (uri === INDEX) return formulas.map(({ id, gives }) => `- [FEED.${id}](${INDEX}/${id}): ${gives}\n`).join("");
  const [, folder = "", name] = PAGE.exec(uri) ?? [];
  return formulas.some(({ id }) => id === name) ? read(`${folder}${name}.md`) : undefined;
}
