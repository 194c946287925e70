import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { writeSkill } from "../../src/mcp/skill";
import { MAIN, openHome } from "../companion/programs";
import { createFiles, readGenerated } from "../reference/generated";
import { createChance } from "../support/chance";
import { listConflicts, readSkill, writeFormula } from "./skill-formulas";

interface Result {
  formula: string;
  error: { code: string; sentence: string } | null;
}

const home = openHome();
const webFolder = mkdtempSync(join(tmpdir(), "feed-skill-"));
let skill: string;

beforeAll(async () => {
  skill = createFiles(await readGenerated())["reference/skill.md"] ?? "";
  mkdirSync(join(webFolder, "reference"));
  writeFileSync(join(webFolder, "reference/skill.md"), skill);
});
afterAll(() => rmSync(webFolder, { recursive: true }));

describe("the skill", () => {
  it("is at most 400 lines, and begins as assistants want it", () => {
    expect(skill.trimEnd().split("\n").length).toBeLessThanOrEqual(400);
    const [, name, description = ""] = /^---\nname: (.*)\ndescription: (.*)\n---\n/.exec(skill) ?? [];
    expect([name, description.length <= 1024, skill.includes("{{")]).toEqual(["feed-for-excel", true, false]);
  });

  it("has all formulas, each with its arguments as functions.json has them", async () => {
    const { functions } = await readGenerated();
    const listed = readSkill(skill).map((each) => [each.name, each.arguments.map(({ name }) => name)]);
    const known = functions.map(({ name, parameters }) => [`FEED.${name}`, parameters.map((each) => each.name)]);
    expect(listed.toSorted()).toEqual(known.toSorted());
  });

  it("teaches formulas that parse and answer: 300, written by its tables alone", async () => {
    expect(listConflicts(skill).filter(([, isKept]) => !isKept)).toEqual([]);
    const formulas = readSkill(skill);
    const chance = createChance(47);
    const written = Array.from({ length: 300 }, (_, nth) => writeFormula(formulas[nth % formulas.length]!, chance));
    const words = ["query", "--json", "--max-requests", "10000", "-"];
    const { output } = await home.run(words, {}, MAIN, written.join("\n"));
    const { results } = JSON.parse(output) as { results: Result[] };
    expect(results).toHaveLength(300);
    const isAnswered = (code = "") => ["", "FEED_NO_VALUE", "FEED_AMBIGUOUS"].includes(code);
    const refused = results.filter(({ error }) => !isAnswered(error?.code));
    expect(refused.map(({ formula, error }) => `${formula} ${error?.sentence}`)).toEqual([]);
    expect(results.filter(({ error }) => error === null).length).toBeGreaterThan(240);
  }, 240_000);
});

describe("feed skill", () => {
  const write = (folder: string, options = {}) => writeSkill(folder, webFolder, options);
  const pathIn = (folder: string) => join(folder, "feed-for-excel", "SKILL.md");

  it("makes the folder, and says where the skill is", () => {
    const folder = join(home.folder, "skills");
    expect(write(folder)).toContain(pathIn(folder));
    expect(readFileSync(pathIn(folder), "utf8")).toBe(skill);
    expect(write(folder)).toMatch(/is this version's already\.$/);
  });

  it("leaves a file of the person's as it is, unless asked to replace it", () => {
    const path = pathIn(home.folder);
    mkdirSync(dirname(path));
    writeFileSync(path, "my own");
    expect(() => write(home.folder)).toThrow(/is there already and differs\. Give --replace/);
    expect(readFileSync(path, "utf8")).toBe("my own");
    write(home.folder, { replace: true });
    expect(readFileSync(path, "utf8")).toBe(skill);
  });

  it("says what to do where it cannot write, and where there is no build", () => {
    const file = join(home.folder, "a file");
    writeFileSync(file, "");
    expect(() => write(file)).toThrow(/cannot be written \(\w+\)\. Choose another folder\.$/);
    expect(() => writeSkill(home.folder, home.folder)).toThrow(/^The skill is not built\./);
  });
});
