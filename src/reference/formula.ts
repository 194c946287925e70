import type { FeedCode } from "../feed/errors";
import type { Field } from "../feed/fields";
import type { Text } from "./texts";

/** A formula that works as it stands on sample data, and what it shows. */
export interface Example {
  formula: string;
  shows: Text;
}

/** What is said about a formula beside its arguments. */
export interface FormulaReference {
  /** What it gives, in a few words. */
  gives: Text;
  /** How many requests it costs. */
  requests: Text;
  examples: readonly Example[];
  /** The errors it can give besides those of every formula that asks the provider. */
  errors: readonly FeedCode[];
  /** Whether it asks the provider at all. */
  isAsking: boolean;
  /** The fields it can show. */
  fields?: readonly Field[];
}
