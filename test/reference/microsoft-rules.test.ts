import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, it } from "@jest/globals";
import Ajv, { type ValidateFunction } from "ajv";
import type { FunctionMetadata, FunctionsMetadata } from "../../src/reference/metadata";
import { isBuiltIn, isCellAddress } from "./excel-names";
import { readReference } from "./generated";
import { listBreaches } from "./microsoft-rules";

/** Microsoft's schema of the unified manifest, in the package that office-addin-manifest checks manifests with. */
const SCHEMA = "@microsoft/app-manifest/build/json-schemas/teams/v1.30/MicrosoftTeams.schema.json";

const NAMING = "Custom functions naming and localization";
const METADATA = "Manually create JSON metadata for custom functions";
const MANIFEST = "Microsoft 365 app manifest schema 1.30";
const FREE = "no built-in function, no Excel 4.0 macro function and no cell's address";
const CHARACTERS = "letters, digits, periods and underscores";
const LONG = "A".repeat(65);
const COMPANY = "COMPANY(company)";

let files: Record<"functions.json" | "functions-ja.json", FunctionsMetadata>;
let isManifest: ValidateFunction;

beforeAll(async () => {
  const texts = await readReference();
  const read = (path: string) => JSON.parse(texts[path] as string) as FunctionsMetadata;
  files = { "functions.json": read("functions.json"), "functions-ja.json": read("functions-ja.json") };
  isManifest = compileSchema();
});

/** Compiles the manifest's rules for custom functions; the schema as a whole is of a draft that ajv no longer reads. */
function compileSchema(): ValidateFunction {
  const checker = require.resolve("office-addin-manifest");
  const { definitions } = JSON.parse(readFileSync(require.resolve(SCHEMA, { paths: [checker] }), "utf8"));
  const ajv = new Ajv({ strict: false, validateFormats: false, allErrors: true });
  return ajv.compile({ $ref: "#/definitions/extensionCustomFunctions", definitions });
}

/** The metadata as a part of a unified manifest, where options are members of their function. */
const toManifest = ({ functions, ...file }: FunctionsMetadata) => ({
  ...file,
  functions: functions.map(({ options, ...each }: FunctionMetadata & { options?: object }) => ({
    ...each,
    ...options,
  })),
  namespace: { id: "FEED", name: "FEED" },
});

describe.each(["functions.json", "functions-ja.json"] as const)("%s", (name) => {
  it("keeps Microsoft's rules for the metadata of custom functions", () => {
    expect(files[name].functions).toHaveLength(18);
    expect(listBreaches({ ...files[name] })).toEqual([]);
  });

  it("fits into a unified manifest by Microsoft's schema", () => {
    isManifest(toManifest(files[name]));
    expect(isManifest.errors).toBeNull();
  });
});

/** The first object of each kind. */
const PLACES = {
  file: (file: FunctionsMetadata) => file,
  function: ({ functions: [each] }: FunctionsMetadata) => each,
  options: ({ functions: [each] }: FunctionsMetadata) => (each as FunctionMetadata & { options: object }).options,
  parameter: ({ functions: [each] }: FunctionsMetadata) => each?.parameters[0],
  enumeration: ({ enums: [each] = [] }: FunctionsMetadata) => each,
  value: ({ enums: [each] = [] }: FunctionsMetadata) => each?.values[0],
};

type Kind = keyof typeof PLACES;

function change(kind: Kind, members: object): FunctionsMetadata {
  const file = structuredClone(files["functions.json"]);
  Object.assign(PLACES[kind](file) as object, members);
  return file;
}

describe("metadata", () => {
  it.each<[string, Kind, object, string]>([
    [
      "a name of two letters",
      "function",
      { name: "ID" },
      `COMPANY: name is a text of 3 to 64 characters (${MANIFEST})`,
    ],
    ["an id of two letters", "function", { id: "ID" }, `ID: id is a text of 3 to 64 characters (${MANIFEST})`],
    ["an id of 65 letters", "function", { id: LONG }, `${LONG}: id is a text of 3 to 64 characters (${MANIFEST})`],
    [
      "an id with an underscore",
      "function",
      { id: "A_B" },
      `A_B: id is a letter, then letters, digits and periods (${METADATA})`,
    ],
    [
      "a name that begins with a digit",
      "function",
      { name: "2ND" },
      `COMPANY: name is a letter, then ${CHARACTERS} (${NAMING})`,
    ],
    ["a built-in function's name", "function", { name: "FIND" }, `COMPANY: name is ${FREE} (${NAMING})`],
    ["a macro function's name", "function", { name: "ECHO" }, `COMPANY: name is ${FREE} (${NAMING})`],
    ["a cell's address as name", "function", { name: "FY24" }, `COMPANY: name is ${FREE} (${NAMING})`],
    ["a name given twice", "function", { name: "peers" }, `PEERS: no second function has its name (${NAMING})`],
    ["an id given twice", "function", { id: "PEERS" }, `PEERS: no second function has its id (${METADATA})`],
    [
      "a description of 1025 characters",
      "function",
      { description: "a".repeat(1025) },
      `COMPANY: description is a text of 1 to 1024 characters (${MANIFEST})`,
    ],
    [
      "help without TLS",
      "function",
      { helpUrl: "http://localhost" },
      `COMPANY: helpUrl begins with https:// (${MANIFEST})`,
    ],
    ["no result", "function", { result: undefined }, `COMPANY: result is required (${METADATA})`],
    [
      "an unknown dimensionality of a result",
      "function",
      { result: { dimensionality: "row" } },
      `COMPANY result: dimensionality is one of scalar, matrix (${METADATA})`,
    ],
    [
      "an unknown member of a function",
      "function",
      { alias: "FIRM" },
      `COMPANY: alias is no known member (${METADATA})`,
    ],
    ["an unknown option", "options", { sync: true }, `COMPANY options: sync is no known member (${METADATA})`],
    [
      "an option that is no flag",
      "options",
      { cancelable: 1 },
      `COMPANY options: cancelable is one of true, false (${METADATA})`,
    ],
    [
      "a volatile stream",
      "options",
      { volatile: true },
      `COMPANY options: stream stands without volatile (${METADATA})`,
    ],
    [
      "a stream's address without a stream",
      "options",
      { stream: false },
      `COMPANY options: requiresStreamAddress needs stream (${METADATA})`,
    ],
    [
      "addresses of parameters without a matrix",
      "function",
      { options: { requiresParameterAddresses: true }, result: {} },
      `COMPANY result: requiresParameterAddresses needs a matrix (${METADATA})`,
    ],
    [
      "an unknown type",
      "parameter",
      { type: "date" },
      `${COMPANY}: type is one of boolean, number, string, any (${METADATA})`,
    ],
    [
      "an unknown dimensionality",
      "parameter",
      { dimensionality: "row" },
      `${COMPANY}: dimensionality is one of scalar, matrix (${METADATA})`,
    ],
    [
      "a parameter without a name",
      "parameter",
      { name: "" },
      `COMPANY(): name is a text of 1 to 64 characters (${MANIFEST})`,
    ],
    [
      "a parameter given twice",
      "parameter",
      { name: "field" },
      `COMPANY(field): no second parameter has its name (${METADATA})`,
    ],
    [
      "a parameter's text of 513 characters",
      "parameter",
      { description: "a".repeat(513) },
      `${COMPANY}: description is a text of 1 to 512 characters (${MANIFEST})`,
    ],
    [
      "an enumeration that is not there",
      "parameter",
      { customEnumId: "NOTHING" },
      `${COMPANY}: customEnumId is the id of an enumeration (${METADATA})`,
    ],
    [
      "an unknown member of a parameter",
      "parameter",
      { hint: "a name" },
      `${COMPANY}: hint is no known member (${METADATA})`,
    ],
    [
      "an enumeration's id with a hyphen",
      "enumeration",
      { id: "A-B" },
      `A-B: id is a letter, then ${CHARACTERS} (${MANIFEST})`,
    ],
    [
      "an enumeration given twice",
      "enumeration",
      { id: "basis" },
      `BASIS: no second enumeration has its id (${METADATA})`,
    ],
    [
      "an enumeration of an unknown type",
      "enumeration",
      { type: "text" },
      `METRIC: type is one of number, string (${METADATA})`,
    ],
    [
      "a text value without its text",
      "value",
      { stringValue: undefined },
      `METRIC Revenue: stringValue is required (${METADATA})`,
    ],
    [
      "a text value with a number",
      "value",
      { numberValue: 1 },
      `METRIC Revenue: numberValue is no known member (${METADATA})`,
    ],
    [
      "a tooltip of 257 characters",
      "value",
      { tooltip: "a".repeat(257) },
      `METRIC Revenue: tooltip is a text of 0 to 256 characters (${MANIFEST})`,
    ],
    ["no function", "file", { functions: [] }, `the file: functions is a list of 1 to 20000 (${MANIFEST})`],
    ["an unknown member of the file", "file", { version: 2 }, `the file: version is no known member (${METADATA})`],
  ])("breaks a rule with %s", (_, kind, members, breach) => {
    expect(listBreaches({ ...change(kind, members) })).toContain(breach);
  });

  it.each<[string, Kind, object]>([
    ["a name of two letters", "function", { name: "ID" }],
    ["an id of two letters", "function", { id: "ID" }],
    ["a description of 1025 characters", "function", { description: "a".repeat(1025) }],
    ["help without TLS", "function", { helpUrl: "http://localhost" }],
    ["no result", "function", { result: undefined }],
    ["a parameter's text of 513 characters", "parameter", { description: "a".repeat(513) }],
    ["an unknown dimensionality", "parameter", { dimensionality: "row" }],
    ["an enumeration of an unknown type", "enumeration", { type: "text" }],
    ["an unknown member of a value", "value", { hint: "a name" }],
    ["an unknown member of the file", "file", { version: 2 }],
  ])("does not fit into a unified manifest with %s", (_, kind, members) => {
    expect(isManifest(toManifest(change(kind, members)))).toBe(false);
  });
});

describe("names that Excel has taken", () => {
  it.each(["FIND", "beta.dist", "XLOOKUP", "RUN"])("include %s", (name) => expect(isBuiltIn(name)).toBe(true));

  it.each(["A1", "xfd1048576", "FY24", "R1C1", "R1048576C16384"])("include the cell %s", (name) =>
    expect(isCellAddress(name)).toBe(true),
  );

  it.each(["XFE1", "A1048577", "A0", "FEED1", "R1048577C1", "R1C16385"])("do not include %s", (name) =>
    expect(isBuiltIn(name) || isCellAddress(name)).toBe(false),
  );
});
