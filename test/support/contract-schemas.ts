import { OPERATIONS, type OperationId } from "../../src/contract/constants";
import openapi from "../../src/contract/generated/openapi.json";

export interface Schema {
  $ref?: string;
  type?: string | string[];
  format?: string;
  enum?: string[];
  items?: Schema;
  properties?: Record<string, Schema>;
  propertyNames?: Schema;
  additionalProperties?: boolean | Schema;
  anyOf?: Schema[];
  allOf?: Schema[];
}

interface Parameter {
  name: string;
  in: string;
}

interface Operation {
  operationId: OperationId;
  parameters?: (Parameter | { $ref: string })[];
  requestBody?: { content: Record<string, { schema: Schema }> };
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>;
}

const SCHEMAS = openapi.components.schemas as Record<string, Schema>;
const PARAMETERS = openapi.components.parameters as Record<string, Parameter>;
const DESCRIBED = Object.values(openapi.paths).flatMap((item) => Object.values(item)) as unknown as Operation[];

/** The grouping endpoints' body is not documented (§4.3); it is read as the list of companies. */
const GROUPINGS: readonly OperationId[] = ["listIndustryCompanies", "listSubSectorCompanies", "listSectorCompanies"];

const toName = (reference: string): string => reference.slice(reference.lastIndexOf("/") + 1);

export const toResolved = (schema: Schema): Schema =>
  schema.$ref === undefined ? schema : (SCHEMAS[toName(schema.$ref)] as Schema);

const describe = (operation: OperationId) =>
  DESCRIBED.find(({ operationId }) => operationId === operation) as Operation;

export function findOperation(method: string, path: string): OperationId | undefined {
  const names = Object.keys(OPERATIONS) as OperationId[];
  const isFor = (name: OperationId) => {
    const pattern = OPERATIONS[name].path.replace(/\{\w+\}/g, "[^/]+");
    return OPERATIONS[name].method === method && new RegExp(`^${pattern}$`).test(path);
  };
  return names.find(isFor);
}

/** The schema of an operation's answer for a status: success, or an error of the ranking family (§7). */
export function readAnswerSchema(operation: OperationId, isGood = true): Schema {
  if (!isGood) return { $ref: "ErrorBody" };
  if (GROUPINGS.includes(operation)) return { $ref: "TaxonomyCompanyPage" };
  return describe(operation).responses["200"]?.content?.["application/json"]?.schema as Schema;
}

export function listQueryParameters(operation: OperationId): string[] {
  const parameters = (describe(operation).parameters ?? []).map((each) =>
    "$ref" in each ? (PARAMETERS[toName(each.$ref)] as Parameter) : each,
  );
  return parameters.filter((each) => each.in === "query").map(({ name }) => name);
}

export function listBodyFields(operation: OperationId): string[] {
  const schema = describe(operation).requestBody?.content["application/json"]?.schema;
  return schema === undefined ? [] : Object.keys(toResolved(schema).properties ?? {});
}

/** Whether a value may be null; a schema without a type allows anything. */
function isNullable({ $ref, type, anyOf, allOf, enum: values }: Schema): boolean {
  if (anyOf !== undefined) return anyOf.some((each) => each.type === "null");
  if (type !== undefined) return type === "null" || type.includes("null");
  return $ref === undefined && allOf === undefined && values === undefined;
}

/** The direct parts of a schema: each of `anyOf` and `allOf`, and a list's elements. */
const listParts = ({ anyOf = [], allOf = [], items }: Schema): Schema[] => [
  ...anyOf,
  ...allOf,
  ...(items ? [items] : []),
];

const listFields = ({ properties = {}, additionalProperties }: Schema): [string, Schema][] =>
  typeof additionalProperties === "object"
    ? [...Object.entries(properties), ["*", additionalProperties]]
    : Object.entries(properties);

/** Every nullable field (§2), after its schema's name: `EngagementTime.min`. */
export function listNullableFields(): string[] {
  const listOf = (path: string, schema: Schema): string[] => [
    ...listParts(schema).flatMap((part) => listOf(path, part)),
    ...listFields(schema).flatMap(([name, field]) => {
      const own = `${path}.${name}`;
      return isNullable(field) ? [own, ...listOf(own, field)] : listOf(own, field);
    }),
  ];
  return [...new Set(Object.entries(SCHEMAS).flatMap(([name, schema]) => listOf(name, schema)))];
}

/** The null fields of an answer, after their schemas' names. */
export function listNulls(schema: Schema, value: unknown, path = ""): string[] {
  if (schema.$ref !== undefined) return listNulls(toResolved(schema), value, toName(schema.$ref));
  if (value === null) return [path];
  if (typeof value !== "object") return [];
  const within = listParts(schema).flatMap((part) => listNulls(part, value, path));
  if (Array.isArray(value))
    return schema.items ? value.flatMap((each) => listNulls(schema.items as Schema, each, path)) : within;
  const fields = new Map(listFields(schema));
  const own = Object.entries(value).flatMap(([name, each]) => {
    const field = fields.get(name);
    if (field !== undefined) return listNulls(field, each, `${path}.${name}`);
    const rest = fields.get("*");
    return rest === undefined ? [] : listNulls(rest, each, `${path}.*`);
  });
  return [...within, ...own];
}
