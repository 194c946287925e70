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

/** Excel's outcome of a value that a custom function has set or returned. */
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
