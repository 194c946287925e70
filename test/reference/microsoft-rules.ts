import { isBuiltIn, isCellAddress } from "./excel-names";

// Microsoft's published rules for the metadata of custom functions, in our own words. Each rule names its page on Microsoft Learn,
// as read in November 2026. Where two pages differ, the narrower rule stands here. The members that no formula needs ($schema,
// cellValueType) count as unknown.
const NAMING = "Custom functions naming and localization";
const METADATA = "Manually create JSON metadata for custom functions";
const MANIFEST = "Microsoft 365 app manifest schema 1.30";

/** A rule for one member of an object. */
interface Rule {
  says: string;
  source: string;
  isKept(value: unknown): boolean;
}

/** The members that an object may have, with the rules of each; a name with "!" is required. */
type Members = Readonly<Record<string, readonly Rule[]>>;

type Json = Readonly<Record<string, unknown>>;

const text = (least: number, most: number, source: string): Rule => ({
  says: `is a text of ${least} to ${most} characters`,
  source,
  isKept: (value) => typeof value === "string" && value.length >= least && value.length <= most,
});

const list = (least: number, most: number, source: string): Rule => ({
  says: `is a list of ${least} to ${most}`,
  source,
  isKept: (value) => Array.isArray(value) && value.length >= least && value.length <= most,
});

const oneOf = (...values: readonly unknown[]): Rule => ({
  says: `is one of ${values.join(", ")}`,
  source: METADATA,
  isKept: (value) => values.includes(value),
});

const matches = (pattern: RegExp, says: string, source: string): Rule => ({
  says,
  source,
  isKept: (value) => pattern.test(String(value)),
});

const FLAG = oneOf(true, false);
const TYPE = oneOf("boolean", "number", "string", "any");
const DIMENSIONALITY = oneOf("scalar", "matrix");
const FREE: Rule = {
  says: "is no built-in function, no Excel 4.0 macro function and no cell's address",
  source: NAMING,
  isKept: (value) => !isBuiltIn(String(value)) && !isCellAddress(String(value)),
};

const FILE: Members = {
  "functions!": [list(1, 20_000, MANIFEST)],
  enums: [list(0, 256, MANIFEST)],
  allowCustomDataForDataTypeAny: [FLAG],
  allowErrorForDataTypeAny: [FLAG],
};

const FUNCTION: Members = {
  // The naming page allows underscores, too.
  "id!": [
    text(3, 64, MANIFEST),
    matches(/^[A-Z][A-Z0-9.]*$/i, "is a letter, then letters, digits and periods", METADATA),
  ],
  "name!": [
    text(3, 64, MANIFEST),
    matches(/^\p{L}[\p{L}0-9._]*$/u, "is a letter, then letters, digits, periods and underscores", NAMING),
    FREE,
  ],
  description: [text(1, 1024, MANIFEST)],
  helpUrl: [text(1, 2048, MANIFEST), matches(/^https:\/\//i, "begins with https://", MANIFEST)],
  "parameters!": [list(0, 128, MANIFEST)],
  "result!": [],
  options: [],
};

const OPTIONS: Members = {
  cancelable: [FLAG],
  capturesCallingObject: [FLAG],
  excludeFromAutoComplete: [FLAG],
  linkedEntityLoadService: [FLAG],
  requiresAddress: [FLAG],
  requiresParameterAddresses: [FLAG],
  requiresStreamAddress: [FLAG],
  requiresStreamParameterAddresses: [FLAG],
  stream: [FLAG],
  volatile: [FLAG],
};

const PARAMETER: Members = {
  "name!": [text(1, 64, MANIFEST)],
  description: [text(1, 512, MANIFEST)],
  type: [TYPE],
  dimensionality: [DIMENSIONALITY],
  optional: [FLAG],
  repeating: [FLAG],
  customEnumId: [text(3, 64, MANIFEST)],
};

const RESULT: Members = { type: [TYPE], dimensionality: [DIMENSIONALITY] };

const ENUM: Members = {
  "id!": [
    text(3, 64, MANIFEST),
    matches(/^[A-Z][A-Z0-9._]*$/i, "is a letter, then letters, digits, periods and underscores", MANIFEST),
  ],
  "type!": [oneOf("number", "string")],
  "values!": [list(1, Number.MAX_SAFE_INTEGER, METADATA)],
};

const TEXT_VALUE: Members = {
  "name!": [text(1, 256, MANIFEST)],
  "stringValue!": [text(1, Number.MAX_SAFE_INTEGER, METADATA)],
  tooltip: [text(0, 256, MANIFEST)],
};

const NUMBER_VALUE: Members = {
  "name!": [text(1, 256, MANIFEST)],
  "numberValue!": [{ says: "is a number", source: METADATA, isKept: (value) => typeof value === "number" }],
  tooltip: [text(0, 256, MANIFEST)],
};

/** Options that a function cannot have together. */
const APART = [
  ["stream", "cancelable"],
  ["stream", "requiresAddress"],
  ["stream", "volatile"],
  ["excludeFromAutoComplete", "linkedEntityLoadService"],
];

/** Options that need another one. */
const NEEDED = [
  ["requiresStreamAddress", "stream"],
  ["requiresStreamParameterAddresses", "stream"],
];

/** Lists each breach of a rule in a functions.json: the place, the rule, its source. */
export function listBreaches(file: Json): string[] {
  const functions = (file.functions ?? []) as Json[];
  const enums = (file.enums ?? []) as Json[];
  return [
    ...checkMembers("the file", file, FILE),
    ...functions.flatMap((each) => checkFunction(each, enums)),
    ...enums.flatMap(checkEnum),
    ...listRepeated(functions, "id").map((id) => `${id}: no second function has its id (${METADATA})`),
    ...listRepeated(functions, "name").map((name) => `${name}: no second function has its name (${NAMING})`),
    ...listRepeated(enums, "id").map((id) => `${id}: no second enumeration has its id (${METADATA})`),
  ];
}

function checkFunction(each: Json, enums: readonly Json[]): string[] {
  const parameters = (each.parameters ?? []) as Json[];
  const place = String(each.id);
  const [options, result] = [each.options ?? {}, each.result ?? {}] as [Json, Json];
  const needsMatrix = options.requiresParameterAddresses === true && result.dimensionality !== "matrix";
  return [
    ...checkMembers(place, each, FUNCTION),
    ...checkOptions(place, options),
    ...checkMembers(`${place} result`, result, RESULT),
    ...(needsMatrix ? [`${place} result: requiresParameterAddresses needs a matrix (${METADATA})`] : []),
    ...parameters.flatMap((parameter) => checkParameter(`${place}(${parameter.name})`, parameter, enums)),
    ...listRepeated(parameters, "name").map(
      (name) => `${place}(${name}): no second parameter has its name (${METADATA})`,
    ),
  ];
}

function checkOptions(place: string, options: Json): string[] {
  const apart = APART.filter((pair) => pair.every((option) => options[option] === true));
  const lacking = NEEDED.filter(([option = "", needed = ""]) => options[option] === true && options[needed] !== true);
  return [
    ...checkMembers(`${place} options`, options, OPTIONS),
    ...apart.map(([one, other]) => `${place} options: ${one} stands without ${other} (${METADATA})`),
    ...lacking.map(([option, needed]) => `${place} options: ${option} needs ${needed} (${METADATA})`),
  ];
}

function checkParameter(place: string, parameter: Json, enums: readonly Json[]): string[] {
  const named = parameter.customEnumId;
  const isKnown = named === undefined || enums.some(({ id }) => isSame(id, named));
  return [
    ...checkMembers(place, parameter, PARAMETER),
    ...(isKnown ? [] : [`${place}: customEnumId is the id of an enumeration (${METADATA})`]),
  ];
}

function checkEnum(each: Json): string[] {
  const values = (each.values ?? []) as Json[];
  const members = each.type === "number" ? NUMBER_VALUE : TEXT_VALUE;
  return [
    ...checkMembers(String(each.id), each, ENUM),
    ...values.flatMap((value) => checkMembers(`${each.id} ${value.name}`, value, members)),
  ];
}

function checkMembers(place: string, object: Json, members: Members): string[] {
  const known = new Map(Object.entries(members).map(([name, rules]) => [name.replace("!", ""), rules]));
  const missing = [...known.keys()].filter((name) => `${name}!` in members && object[name] === undefined);
  const given = Object.entries(object).filter(([, value]) => value !== undefined);
  return [
    ...missing.map((name) => `${place}: ${name} is required (${METADATA})`),
    ...given.flatMap(([name, value]) => {
      const rules = known.get(name);
      if (rules === undefined) return [`${place}: ${name} is no known member (${METADATA})`];
      const broken = rules.filter(({ isKept }) => !isKept(value));
      return broken.map(({ says, source }) => `${place}: ${name} ${says} (${source})`);
    }),
  ];
}

/** Lists the values of a member that a second object has, ignoring case. */
const listRepeated = (objects: readonly Json[], member: string): unknown[] =>
  objects
    .filter((each, place) => objects.slice(0, place).some((other) => isSame(other[member], each[member])))
    .map((each) => each[member]);

const isSame = (one: unknown, other: unknown): boolean => String(one).toUpperCase() === String(other).toUpperCase();
