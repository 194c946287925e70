import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { toParameters } from "../support/formula-arguments";
import { readSignatures, type Signature } from "../support/formula-signatures";
import { answerEmpty, isCredential, type ScriptedFormulas, startScriptedFormulas } from "../support/scripted-formulas";

/** The values of a blank cell: by host, as a cell and as a range of one. */
const BLANKS = [null, undefined, 0, "", " ", [[null]], [[0]], [[""]]];

const signatures = readSignatures();
const listArguments = (isOptional: boolean) =>
  signatures.flatMap((signature) =>
    signature.parameters
      .filter((each) => each.isOptional === isOptional)
      .map(({ name }) => [signature.name, name, signature] as const),
  );

let stage: ScriptedFormulas;
beforeAll(async () => {
  stage = await startScriptedFormulas(answerEmpty);
});
afterAll(() => stage.close());

/** The results of a formula with each value of an argument, and their requests, at an empty provider with empty caches. */
async function show(signature: Signature, name: string, values: readonly unknown[]) {
  stage.formulas.session.feed.reset();
  const before = stage.requests.length;
  const cells = values.map((value) => stage.formulas.type(signature.name, ...toParameters(signature, name, value)));
  await stage.rest();
  for (const cell of cells) cell.cancel();
  const sent = stage.requests.slice(before).filter((request) => !isCredential(request));
  const requests = sent.map(({ method, path, query, body }) => [method, path, `${query}`, body]).sort();
  return { shown: cells.map((cell, at) => [values[at], cell.shown.at(-1)]), requests };
}

describe("a blank argument", () => {
  it.each(listArguments(true))("of FEED.%s as %s counts as omitted", async (_, name, signature) => {
    const { shown, requests } = await show(signature, name, [null]);
    const omitted = shown[0]?.[1];
    // Equal queries are one request, so that any other query of a blank is one more.
    expect(await show(signature, name, BLANKS)).toEqual({ shown: BLANKS.map((blank) => [blank, omitted]), requests });
  });

  const REQUIRED = listArguments(false);
  it.each(REQUIRED)("of FEED.%s as %s is reported missing without a request", async (_, name, signature) => {
    const missing = expect.stringMatching(new RegExp(`^#VALUE! FEED_ARGUMENT_INVALID: ${name} is missing; give `));
    const shown = BLANKS.map((blank) => [blank, [[missing]]]);
    expect(await show(signature, name, BLANKS)).toEqual({ shown, requests: [] });
  });
});

const FORMULAS = signatures.map((signature) => [signature.name, signature] as const);
it.each(FORMULAS)('FEED.%s in the value preview sends no request and is "not read yet"', async (name, signature) => {
  const before = stage.requests.length;
  const cell = stage.formulas.preview(name, ...toParameters(signature, "", null));
  await stage.rest();
  expect(stage.requests.slice(before)).toEqual([]);
  expect(cell.shown).toHaveLength(1);
});
