/** One parameter as functions.json describes it. */
export interface ParameterMetadata {
  name: string;
  description?: string;
  type?: string;
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

/** One function as functions.json describes it. */
export interface FunctionMetadata {
  id: string;
  name: string;
  description?: string;
  parameters: ParameterMetadata[];
  options?: { stream?: boolean; cancelable?: boolean; requiresStreamAddress?: boolean };
}

/** The whole functions.json that the build writes beside functions.js. */
export interface FunctionsMetadata {
  functions: FunctionMetadata[];
  enums?: EnumerationMetadata[];
  allowErrorForDataTypeAny?: boolean;
  allowCustomDataForDataTypeAny?: boolean;
}
