import type { FormulaResult } from "../refresh/formula-results";
import type { Answer } from "./answers";
import type { Schema } from "./schemas";
import type { Formulas } from "./work";

/** A tool that assistants call. */
export interface Tool<Arguments = never> {
  readonly name: string;
  /** What it does, for the model. */
  readonly description: string;
  /** Its arguments, by name. */
  readonly properties: Readonly<Record<string, Schema>>;
  readonly required: readonly string[];
  /** Whether it writes files; default no. */
  readonly writes?: true;
  /** @throws ToolError */
  run(given: Arguments, work: Work): Promise<Answer>;
}

/** What a call of a tool works with. */
export interface Work extends Formulas {
  /** Calculates formulas, without "=", within the request budget of the call. */
  calculate(...formulas: string[]): Promise<FormulaResult[]>;
  readonly signal: AbortSignal;
}
