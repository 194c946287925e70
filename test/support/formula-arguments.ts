import type { Signature } from "./formula-signatures";
import validArguments from "./valid-arguments.json";

export const COMPANY_ID = "00000000-0000-4000-8000-00000000000a";

/** A valid value for each argument, for tests of the other ones. */
export const VALID_ARGUMENTS: Readonly<Record<string, unknown>> = validArguments;

/** Valid values for required arguments, and the given one for one argument. */
export const toParameters = ({ parameters }: Signature, name: string, value: unknown) =>
  parameters.map((each) => (each.name === name ? value : each.isOptional ? null : VALID_ARGUMENTS[each.name]));
