/** One parameter as functions.json describes it. */
export interface ParameterMetadata {
  name: string;
  description?: string;
  type?: string;
  dimensionality?: "scalar" | "matrix";
  optional?: boolean;
}

/** One function as functions.json describes it. */
export interface FunctionMetadata {
  id: string;
  name: string;
  description?: string;
  parameters: ParameterMetadata[];
  options?: { stream?: boolean; cancelable?: boolean };
}

/** The whole functions.json that the build writes beside functions.js. */
export interface FunctionsMetadata {
  functions: FunctionMetadata[];
  allowErrorForDataTypeAny?: boolean;
}
