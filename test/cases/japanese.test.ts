import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { setCatalogue } from "../../src/client/messages";
import { CATALOGUE } from "../../src/session/japanese/adopting";
import { readCases, runCase } from "./case";

const isError = (cell: unknown): cell is string => typeof cell === "string" && /^#[^ ]+ FEED_/.test(cell);
const listErrors = (rows: readonly (readonly unknown[])[] = []) => [...new Set(rows.flat().filter(isError))];

const cases = readCases().filter(({ expected, japanese }) => listErrors(expected).length > 0 || japanese);

/** What is data: quoted texts, the provider's words in brackets, a chain of names. */
const DATA = /"[^"]*"|\([^)]*\)|（[^）]*）|[^：。]* · [^；。]*/g;
const ENGLISH = /[a-z]{2,} [a-z]{2,}/;

beforeAll(() => setCatalogue(CATALOGUE));
afterAll(() => setCatalogue({}));

describe("an error in a Japanese session", () => {
  it.each(cases.map((each) => [each.name, each] as const))("is Japanese: %s", async (_, each) => {
    const errors = listErrors((await runCase(each)).shown);
    expect(errors).toEqual(each.japanese);
    expect(errors).toHaveLength(listErrors(each.expected).length);
    for (const error of errors) {
      expect(error.replace(DATA, "")).not.toMatch(ENGLISH);
      expect(error).toMatch(/[\u3040-\u30ff]/);
    }
  });
});
