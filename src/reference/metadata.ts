import { ENUMERATIONS } from "./enumerations";
import { FORMULAS } from "./formulas";
import type { Language } from "./texts";

/** An argument as functions.json describes it. */
interface ParameterMetadata {
  name: string;
  description?: string;
  type?: string;
  dimensionality?: string;
  optional?: boolean;
  customEnumId?: string;
}

/** A function as functions.json describes it. */
export interface FunctionMetadata {
  id: string;
  name: string;
  description?: string;
  helpUrl?: string;
  parameters: ParameterMetadata[];
}

/** An enumeration as functions.json describes it. */
export interface EnumerationMetadata {
  id: string;
  type: "string";
  values: { name: string; stringValue: string; tooltip: string }[];
}

/** The whole functions.json. */
export interface FunctionsMetadata {
  functions: FunctionMetadata[];
  enums?: EnumerationMetadata[];
  allowCustomDataForDataTypeAny?: boolean;
}

/** The path of a formula's page below the pages' origin. */
export const toPagePath = (id: string, language: Language): string =>
  language === "en" ? `reference/${id}.html` : `reference/${language}/${id}.html`;

/**
 * Completes the generator's metadata in one language: the generator writes neither enumerations for
 * arguments of any type nor a second language.
 *
 * Errors inside ranges arrive by the generator's allowCustomDataForDataTypeAny. Its companion
 * allowErrorForDataTypeAny must stay out: with both, Excel LTSC 2021 crashes (OfficeDev/office-js issue 4385).
 *
 * @param origin the pages' origin, such as "https://localhost:3000"
 */
export function completeMetadata(metadata: FunctionsMetadata, language: Language, origin: string): FunctionsMetadata {
  const functions = metadata.functions.map((each) => completeFunction(each, language, origin));
  const used = new Set(functions.flatMap(({ parameters }) => parameters.map(({ customEnumId }) => customEnumId)));
  const enums = [...ENUMERATIONS].filter(([id]) => used.has(id));
  return {
    ...metadata,
    functions,
    enums: enums.map(([id, values]) => ({
      id,
      type: "string",
      values: [...values].map(([value, text]) => ({ name: value, stringValue: value, tooltip: text[language] })),
    })),
  };
}

function completeFunction(metadata: FunctionMetadata, language: Language, origin: string): FunctionMetadata {
  const { id, description, parameters } = metadata;
  const reference = FORMULAS.get(id);
  return {
    ...metadata,
    description: language === "ja" ? reference?.ja : description,
    helpUrl: `${origin}/${toPagePath(id, language)}`,
    parameters: parameters.map((parameter) => {
      const { ja, values } = reference?.arguments[parameter.name] ?? {};
      const description = language === "ja" ? ja : parameter.description;
      return { ...parameter, description, ...(values === undefined ? {} : { customEnumId: values }) };
    }),
  };
}
