// Writes generated/types.ts, openapi.json and routes.json from openapi.yaml: `npm run contract`.
// Given a folder as argument it writes there instead, which is how a test finds stale files.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import fastify from "fastify";
import openapiGlue from "fastify-openapi-glue";
import openapiTS, { astToString } from "openapi-typescript";
import { parse } from "yaml";

const contractFolder = dirname(fileURLToPath(import.meta.url));
const folder = process.argv[2] ?? join(contractFolder, "generated");
const description = parse(readFileSync(join(contractFolder, "openapi.yaml"), "utf8"));
const types = astToString(await openapiTS(structuredClone(description)));

mkdirSync(folder, { recursive: true });
writeFileSync(join(folder, "types.ts"), `// Generated from openapi.yaml by npm run contract.\n\n${types}`);
writeFileSync(join(folder, "openapi.json"), `${JSON.stringify(description, null, 2)}\n`);
writeFileSync(join(folder, "routes.json"), `${JSON.stringify(await toRoutes(description), null, 2)}\n`);

/**
 * Lists the operations as routes of Fastify, their references resolved: without the token's, whose body is a form;
 * without bodies, which Fastify would convert in silence as it rightly converts parameters; without answers, since it
 * drops fields that they do not name.
 */
async function toRoutes(specification) {
  const { paths, ...rest } = structuredClone(specification);
  delete paths["/token"];
  for (const operation of Object.values(paths).flatMap(Object.values)) {
    delete operation.requestBody;
    operation.responses = { 200: { description: "An answer." } };
  }
  const routes = [];
  const app = fastify({ exposeHeadRoutes: false });
  app.addHook("onRoute", ({ method, url, schema: { operationId, params, querystring } }) => {
    routes.push({ operationId, method, url, schema: { params, querystring } });
  });
  await app.register(openapiGlue, {
    specification: { ...rest, paths },
    operationResolver: () => async () => undefined,
  });
  return routes;
}
