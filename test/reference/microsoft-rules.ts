import Ajv from "ajv";
import type { FunctionMetadata, FunctionsMetadata } from "../../src/reference/metadata";
import { isBuiltIn, isCellAddress } from "./excel-names";
import RULES from "./microsoft-rules.json";

const toKey = (value: unknown) => String(value).toUpperCase();

const checker = new Ajv({ strict: false, allErrors: true });
checker.addKeyword({
  keyword: "isFree",
  validate: (_: true, name: unknown) => !isBuiltIn(String(name)) && !isCellAddress(String(name)),
});
checker.addKeyword({
  keyword: "unique",
  validate: (members: string[], all: Record<string, unknown>[]) =>
    members.every((member) => new Set(all.map((each) => toKey(each[member]))).size === all.length),
});
checker.addKeyword({
  keyword: "namesEnumerations",
  validate: (_: true, { functions, enums = [] }: FunctionsMetadata) => {
    const ids = new Set(enums.map(({ id }) => toKey(id)));
    const named = (functions as FunctionMetadata[]).flatMap(({ parameters }) => parameters);
    return named.every(({ customEnumId }) => customEnumId === undefined || ids.has(toKey(customEnumId)));
  },
});
const isRight = checker.compile(RULES);

/** Lists each breach of Microsoft's rules in a functions.json: its place and the rule, and the member that is wrong. */
export function listBreaches(file: FunctionsMetadata): string[] {
  isRight(JSON.parse(JSON.stringify(file)));
  return (isRight.errors ?? []).map(({ instancePath, keyword, params }) =>
    [instancePath, keyword, params.missingProperty ?? params.additionalProperty].join(" ").trimEnd(),
  );
}
