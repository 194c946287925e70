import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, it } from "@jest/globals";
import Ajv, { type ValidateFunction } from "ajv";
import type { FunctionMetadata, FunctionsMetadata } from "../../src/reference/metadata";
import BREACHES from "./breaches.json";
import { isBuiltIn, isCellAddress } from "./excel-names";
import { readReference } from "./generated";
import { listBreaches } from "./microsoft-rules";

/** Microsoft's schema of the unified manifest, in the package that office-addin-manifest checks manifests with. */
const SCHEMA = "@microsoft/app-manifest/build/json-schemas/teams/v1.30/MicrosoftTeams.schema.json";

const MANIFEST = "Microsoft 365 app manifest schema 1.30";
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
  const place = PLACES[kind](file) as Record<string, unknown>;
  for (const [name, value] of Object.entries(members)) place[name] = value ?? undefined; // a row has null for an absent member
  return file;
}

describe("metadata", () => {
  it.each<[string, Kind, object, string]>([
    ...(BREACHES as [string, Kind, object, string][]),
    [
      "a description of 1025 characters",
      "function",
      { description: "a".repeat(1025) },
      `COMPANY: description is a text of 1 to 1024 characters (${MANIFEST})`,
    ],
    [
      "a parameter's text of 513 characters",
      "parameter",
      { description: "a".repeat(513) },
      `${COMPANY}: description is a text of 1 to 512 characters (${MANIFEST})`,
    ],
    [
      "a tooltip of 257 characters",
      "value",
      { tooltip: "a".repeat(257) },
      `METRIC Revenue: tooltip is a text of 0 to 256 characters (${MANIFEST})`,
    ],
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
