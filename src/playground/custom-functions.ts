/** The error codes of CustomFunctions; the host shows only some of them as results. */
export const ErrorCode = {
  invalidValue: "#VALUE!",
  notAvailable: "#N/A",
  divisionByZero: "#DIV/0!",
  invalidNumber: "#NUM!",
  nullReference: "#NULL!",
  invalidName: "#NAME?",
  invalidReference: "#REF!",
} as const;

const CODES_WITH_TEXT: readonly string[] = [ErrorCode.invalidValue, ErrorCode.notAvailable];

/** An error as a custom function returns it, and as Excel passes one in an `any` parameter. */
export class CustomFunctionError extends Error {
  readonly type = "Error";
  readonly basicType = "Error";
  readonly code: string;
  readonly basicValue: string;

  constructor(code: string = ErrorCode.invalidValue, message = "") {
    super(message);
    this.code = code;
    this.basicValue = code;
  }

  /** The JSON that the host receives; only #VALUE! and #N/A keep their text. */
  toJSON() {
    const text = CODES_WITH_TEXT.includes(this.code) && this.message !== "" ? { message: this.message } : {};
    return { type: this.type, basicType: this.basicType, basicValue: this.code, ...text };
  }
}

type CustomFunction = (...args: never[]) => unknown;

/** The part of Office.js's global `CustomFunctions` that a functions bundle uses. */
interface CustomFunctionsGlobal {
  associate(id: string, implementation: CustomFunction): void;
  Error: typeof CustomFunctionError;
  ErrorCode: typeof ErrorCode;
}

/** Creates the global and the registry of its `associate`; ids ignore letter case. */
export function createCustomFunctions(): {
  global: CustomFunctionsGlobal;
  find(id: string): CustomFunction | undefined;
  size(): number;
} {
  const associated = new Map<string, CustomFunction>();
  const associate = (id: string, implementation: CustomFunction) =>
    void associated.set(id.toUpperCase(), implementation);
  return {
    global: { associate, Error: CustomFunctionError, ErrorCode },
    find: (id) => associated.get(id.toUpperCase()),
    size: () => associated.size,
  };
}

/** One parameter as functions.json describes it; it takes values of any type. */
export interface ParameterMetadata {
  name: string;
  description?: string;
  dimensionality?: "scalar" | "matrix";
  optional?: boolean;
  /** The enumeration whose values are proposed. */
  customEnumId?: string;
}

/** Values that an argument proposes, each with a sentence on what it means. */
export interface EnumerationMetadata {
  id: string;
  values: { stringValue: string; tooltip?: string }[];
}

/** One function as functions.json describes it; it streams. */
export interface FunctionMetadata {
  id: string;
  name: string;
  description?: string;
  parameters: ParameterMetadata[];
  options?: { requiresStreamAddress?: boolean };
}

/** The whole functions.json that the build writes beside functions.js. */
export interface FunctionsMetadata {
  functions: FunctionMetadata[];
  enums?: EnumerationMetadata[];
}

export interface ResultError {
  kind: "error";
  code: string;
  /** Absent where Excel would drop the text. */
  message?: string;
}

interface ResultValue {
  kind: "value";
  value: string | number | boolean;
  /** A number format that came with the value. */
  format?: string;
}

export type ResultCell = ResultError | ResultValue;

/** The outcome of a formula: pending, one value, one error, or an array that spills. */
export type Outcome = { kind: "busy" } | ResultCell | { kind: "array"; rows: ResultCell[][] };

export const BUSY: Outcome = { kind: "busy" };

const INVALID: ResultError = { kind: "error", code: ErrorCode.invalidValue };

/** The error codes that a custom function can return. */
const OUTPUT_CODES: readonly string[] = [
  ErrorCode.invalidValue,
  ErrorCode.notAvailable,
  ErrorCode.divisionByZero,
  ErrorCode.invalidNumber,
  ErrorCode.nullReference,
];

/** Excel's outcome of a value that a custom function has set. */
export function toOutcome(raw: unknown): Outcome {
  if (typeof raw === "number" && !Number.isFinite(raw)) {
    return { kind: "error", code: Number.isNaN(raw) ? ErrorCode.invalidValue : ErrorCode.invalidNumber };
  }
  if (raw instanceof Error && !(raw instanceof CustomFunctionError)) return toErrorOutcome(raw);
  if (raw === null || typeof raw !== "object") return toCell(raw);
  // The page and the host exchange JSON, by which NaN becomes null, a Date text and an error its description.
  const received: unknown = JSON.parse(JSON.stringify(raw));
  if (!Array.isArray(received)) return toCell(received);
  const isMatrix =
    received.length > 0 && received.every((row) => Array.isArray(row)) && received.some((row) => row.length);
  if (!isMatrix) return INVALID;
  return { kind: "array", rows: received.map((row: unknown[]) => row.map(toCell)) };
}

/** Excel's outcome of a thrown value: only CustomFunctions.Error keeps its text. */
export function toErrorOutcome(thrown: unknown): ResultError {
  if (thrown instanceof CustomFunctionError) return toResultError(thrown.toJSON());
  return INVALID;
}

function toCell(received: unknown): ResultCell {
  switch (typeof received) {
    case "string":
    case "number":
    case "boolean":
      return { kind: "value", value: received };
    case "undefined":
      return { kind: "value", value: 0 };
    case "object":
      // Excel shows a null as 0, by design.
      return received === null ? { kind: "value", value: 0 } : toDataType(received);
    default:
      return INVALID;
  }
}

interface DataType {
  type?: unknown;
  basicValue?: unknown;
  message?: unknown;
  numberFormat?: unknown;
}

function toDataType(received: DataType): ResultCell {
  if (received.type === "Error") return toResultError(received);
  const { basicValue, numberFormat } = received;
  const isPlain = typeof basicValue === "string" || typeof basicValue === "number" || typeof basicValue === "boolean";
  if (!isPlain) return INVALID;
  const format = typeof numberFormat === "string" ? { format: numberFormat } : {};
  return { kind: "value", value: basicValue, ...format };
}

function toResultError({ basicValue, message }: DataType): ResultError {
  if (!OUTPUT_CODES.includes(String(basicValue))) return INVALID;
  const text = typeof message === "string" ? { message } : {};
  return { kind: "error", code: String(basicValue), ...text };
}
