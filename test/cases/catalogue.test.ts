import { describe, expect, it } from "@jest/globals";
import { ERRORS } from "../../src/client/errors";
import { isBlank } from "../../src/functions/arguments";
import { findOperation, listNullableFields, listNulls, readAnswerSchema } from "../support/contract-schemas";
import { readSignatures } from "../support/formula-signatures";
import { readCases } from "./case";

const cases = readCases();
const signatures = readSignatures();

const isGiven = (argument: unknown) => [argument].flat(2).some((each) => !isBlank(each));

const hasCase = (formula: string, isSuch: (given: unknown[]) => boolean) =>
  cases.some(({ call }) => call.formula === formula && isSuch(call.arguments));

/** The fields that are null in the answers of the cases. */
function listPlayedNulls(): string[] {
  return cases.flatMap(({ answers }) =>
    answers.flatMap(({ request, status = 200, body }) => {
      const [method = "", path = ""] = request.split(/[ ?]/);
      const operation = findOperation(method, path);
      return operation === undefined ? [] : listNulls(readAnswerSchema(operation, status === 200), body);
    }),
  );
}

describe("the cases", () => {
  it("are at least three hundred, each with a name of its own", () => {
    const names = cases.map(({ name }) => name);
    expect(names.length).toBeGreaterThanOrEqual(300);
    expect(names.length).toBe(new Set(names).size);
  });

  it.each(signatures.map((signature) => [signature.name, signature] as const))(
    "cover FEED.%s, with each optional argument",
    (formula, { parameters }) => {
      expect(hasCase(formula, () => true)).toBe(true);
      const missing = parameters.filter(
        ({ isOptional }, place) => isOptional && !hasCase(formula, (given) => isGiven(given[place])),
      );
      expect(missing.map(({ name }) => name)).toEqual([]);
    },
  );

  it("cover every error but internal ones, which no answer causes", () => {
    const shown = JSON.stringify(cases.map(({ expected }) => expected));
    expect(Object.keys(ERRORS).filter((code) => !shown.includes(`${code}: `))).toEqual(["FEED_INTERNAL"]);
  });

  it("have every nullable field null", () => {
    const played = new Set(listPlayedNulls());
    expect(listNullableFields()).toContain("EngagementTime.min");
    expect(listNullableFields().filter((field) => !played.has(field))).toEqual([]);
  });
});
