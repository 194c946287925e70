// Writes generated/types.ts and generated/openapi.json from openapi.yaml: `npm run contract`.
// Given a folder as argument it writes there instead, which is how a test finds stale files.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import openapiTS, { astToString } from "openapi-typescript";
import { parse } from "yaml";

const contractFolder = dirname(fileURLToPath(import.meta.url));
const folder = process.argv[2] ?? join(contractFolder, "generated");
const description = parse(readFileSync(join(contractFolder, "openapi.yaml"), "utf8"));
const types = astToString(await openapiTS(structuredClone(description)));

mkdirSync(folder, { recursive: true });
writeFileSync(join(folder, "types.ts"), `// Generated from openapi.yaml by npm run contract.\n\n${types}`);
writeFileSync(join(folder, "openapi.json"), `${JSON.stringify(description, null, 2)}\n`);
