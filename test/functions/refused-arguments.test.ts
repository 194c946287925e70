import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { answerEmpty, type ScriptedFormulas, startScriptedFormulas } from "../support/scripted-formulas";
import refused from "./refused-arguments.json";

const ROWS = Object.entries(refused).flatMap(([formula, rows]) => rows.map((row) => ({ formula, ...row })));

let stage: ScriptedFormulas;
beforeAll(async () => {
  stage = await startScriptedFormulas(answerEmpty);
});
afterAll(() => stage.close());

describe("arguments that a formula refuses", () => {
  it.each(ROWS)("are reported with their remedy, without a request: $formula with $what", async (row) => {
    const cell = stage.formulas.type(row.formula, ...row.arguments);
    await stage.rest();
    cell.cancel();
    expect(cell.shown).toEqual([[[`#VALUE! FEED_ARGUMENT_INVALID: ${row.error}`]]]);
    expect(stage.requests).toEqual([]);
  });
});
