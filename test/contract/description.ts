import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";

export const ROOM = join(__dirname, "../../src/contract");

export interface Operation {
  operationId: string;
  security?: Record<string, string[]>[];
  parameters?: ({ $ref: string } | Parameter)[];
  responses: Record<string, unknown>;
  "x-country-scope"?: boolean;
}

export interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  schema: { type: string; default?: unknown; enum?: string[] };
}

export interface Schema {
  type?: string | string[];
  const?: string;
  enum?: string[];
  required?: string[];
  properties?: Record<string, Schema>;
  anyOf?: Schema[];
  allOf?: Schema[];
  "x-metric-names"?: Record<string, string[]>;
}

export interface Description {
  paths: Record<string, Record<string, Operation>>;
  components: {
    parameters: Record<string, Parameter>;
    schemas: Record<string, Schema>;
    securitySchemes: { accessToken: { flows: { clientCredentials: { scopes: Record<string, string> } } } };
  };
}

/** The API description as written. */
export const description: Description = parse(readFileSync(join(ROOM, "openapi.yaml"), "utf8"));

export interface NamedOperation extends Operation {
  method: string;
  path: string;
}

/** Every operation with its method and path, by operationId. */
export const operations: Record<string, NamedOperation> = Object.fromEntries(
  Object.entries(description.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => [
      operation.operationId,
      { ...operation, method: method.toUpperCase(), path },
    ]),
  ),
);

/** The parameters of an operation, references resolved. */
export function readParameters(operationId: string): Parameter[] {
  return (operations[operationId]?.parameters ?? []).map((parameter) =>
    "$ref" in parameter ? description.components.parameters[parameter.$ref.split("/").at(-1)!]! : parameter,
  );
}
