import { CustomFunctionError, ErrorCode } from "./custom-functions";

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

/** What a host's cells can show. */
export interface ResultRules {
  /** Whether a result may be a data type; otherwise it shows #VALUE!. */
  hasDataTypes: boolean;
  /** Whether an array may hold errors; otherwise the whole of it shows #VALUE!. */
  hasErrorsInArrays: boolean;
}

export const EVERY_RESULT: ResultRules = { hasDataTypes: true, hasErrorsInArrays: true };

/** Excel's outcome of a value that a custom function has set or returned. */
export function toOutcome(raw: unknown, rules = EVERY_RESULT): Outcome {
  if (typeof raw === "number" && !Number.isFinite(raw)) {
    return { kind: "error", code: Number.isNaN(raw) ? ErrorCode.invalidValue : ErrorCode.invalidNumber };
  }
  if (raw instanceof Error && !(raw instanceof CustomFunctionError)) return toErrorOutcome(raw);
  if (raw === null || typeof raw !== "object") return toCell(raw, rules);
  // The page and the host exchange JSON, by which NaN becomes null, a Date text and an error its description.
  const received: unknown = JSON.parse(JSON.stringify(raw));
  if (!Array.isArray(received)) return toCell(received, rules);
  const isMatrix =
    received.length > 0 && received.every((row) => Array.isArray(row)) && received.some((row) => row.length);
  if (!isMatrix) return INVALID;
  const rows = received.map((row: unknown[]) => row.map((cell) => toCell(cell, rules)));
  const isShown = rules.hasErrorsInArrays || rows.flat().every(({ kind }) => kind === "value");
  return isShown ? { kind: "array", rows } : INVALID;
}

/** Excel's outcome of a thrown value: only CustomFunctions.Error keeps its text. */
export function toErrorOutcome(thrown: unknown): ResultError {
  if (thrown instanceof CustomFunctionError) return toResultError(thrown.toJSON());
  return INVALID;
}

/** The members that Office.js reads of `setError`'s argument. */
export interface SetError {
  message?: unknown;
  code?: unknown;
}

/** Excel's outcome of `setError`; unlike a thrown one, every Error keeps its text. */
export function toSetErrorOutcome({ message, code }: SetError): ResultError {
  const known = OUTPUT_CODES.find((each) => each === code) ?? ErrorCode.invalidValue;
  return toErrorOutcome(new CustomFunctionError(known, typeof message === "string" ? message : ""));
}

function toCell(received: unknown, rules: ResultRules): ResultCell {
  switch (typeof received) {
    case "string":
    case "number":
    case "boolean":
      return { kind: "value", value: received };
    case "undefined":
      return { kind: "value", value: 0 };
    case "object":
      // Excel shows a null as 0, by design.
      return received === null ? { kind: "value", value: 0 } : toDataType(received, rules);
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

function toDataType(received: DataType, { hasDataTypes }: ResultRules): ResultCell {
  if (received.type === "Error") return toResultError(received);
  const { basicValue, numberFormat } = received;
  const isPlain = typeof basicValue === "string" || typeof basicValue === "number" || typeof basicValue === "boolean";
  if (!isPlain || !hasDataTypes) return INVALID;
  const format = typeof numberFormat === "string" ? { format: numberFormat } : {};
  return { kind: "value", value: basicValue, ...format };
}

function toResultError({ basicValue, message }: DataType): ResultError {
  if (!OUTPUT_CODES.includes(String(basicValue))) return INVALID;
  const text = typeof message === "string" ? { message } : {};
  return { kind: "error", code: String(basicValue), ...text };
}
