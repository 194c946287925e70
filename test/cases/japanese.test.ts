import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "@jest/globals";
import { setCatalogue } from "../../src/client/messages";
import { CATALOGUE } from "../../src/session/japanese/adopting";
import { type Case, readCases, runCase } from "./case";

type Golden = Record<string, { en: string[]; ja: string[] }>;

/** The errors of all cases in both languages, to read. */
const GOLDEN: Golden = JSON.parse(readFileSync(join(__dirname, "errors.golden.json"), "utf8"));

const isError = (cell: unknown): cell is string => typeof cell === "string" && /^#[^ ]+ FEED_/.test(cell);
const listErrors = (rows: readonly (readonly unknown[])[] = []) => [...new Set(rows.flat().filter(isError))];

/** The errors that a case shows in a language. */
async function readErrors(each: Case, language: "en" | "ja"): Promise<string[]> {
  setCatalogue(language === "ja" ? CATALOGUE : {});
  return listErrors((await runCase(each)).shown);
}

const hasError = ({ expected }: Case) => /"#[^ ]+ FEED_/.test(JSON.stringify(expected));
const cases = readCases().filter(hasError);

/** What is data: quoted texts, the provider's words in brackets, a chain of names. */
const DATA = /"[^"]*"|\([^)]*\)|（[^）]*）|[^：。]* · [^；。]*/g;
const ENGLISH = /[a-z]{2,} [a-z]{2,}/;

afterAll(() => setCatalogue({}));

describe("an error in a Japanese session", () => {
  it.each(cases.map((each) => [each.name, each] as const))("is Japanese: %s", async (name, each) => {
    const [en, ja] = [await readErrors(each, "en"), await readErrors(each, "ja")];
    expect({ en, ja }).toEqual(GOLDEN[name]);
    expect(ja.length).toBe(en.length);
    expect(ja.length).toBeGreaterThan(0);
    for (const error of ja) {
      expect(error.replace(DATA, "")).not.toMatch(ENGLISH);
      expect(error).toMatch(/[\u3040-\u30ff]/);
    }
  });

  it("stands in the golden list for each case, and for nothing else", () => {
    expect(Object.keys(GOLDEN)).toEqual(cases.map(({ name }) => name));
  });
});
