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

const ERROR_TYPES: Record<string, string> = {
  "#VALUE!": "Value",
  "#N/A": "NotAvailable",
  "#DIV/0!": "Div0",
  "#NUM!": "Num",
  "#NULL!": "Null",
  "#NAME?": "Name",
  "#REF!": "Ref",
};

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
    return {
      type: this.type,
      basicType: this.basicType,
      basicValue: this.code,
      errorType: ERROR_TYPES[this.code],
      ...text,
    };
  }
}

type CustomFunction = (...args: never[]) => unknown;

/** The part of Office.js's global `CustomFunctions` that a functions bundle uses. */
export interface CustomFunctionsGlobal {
  associate(id: string, implementation: CustomFunction): void;
  associate(implementations: Record<string, CustomFunction>): void;
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
  const associate = (idOrAll: string | Record<string, CustomFunction>, implementation?: CustomFunction) => {
    const entries = typeof idOrAll === "string" ? [[idOrAll, implementation] as const] : Object.entries(idOrAll);
    for (const [id, each] of entries) if (each) associated.set(id.toUpperCase(), each);
  };
  return {
    global: { associate, Error: CustomFunctionError, ErrorCode },
    find: (id) => associated.get(id.toUpperCase()),
    size: () => associated.size,
  };
}
