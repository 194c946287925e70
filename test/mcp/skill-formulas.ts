import type { Chance } from "../support/chance";

/** An argument as the skill describes it. */
interface Argument {
  name: string;
  isOptional: boolean;
  /** Values as they stand in a formula: those that the skill writes, and those of its lists. */
  written: readonly string[];
  listed: readonly string[];
}

/** A formula as the skill describes it. */
export interface SkillFormula {
  name: string;
  arguments: readonly Argument[];
}

const CHAPTER = /^### (FEED\.[\w.]+)\((.*)\)$\n([\s\S]*?)(?=^##)/gm;
const CODE = /`([^`]+)`/g;
const listCode = (text = ""): string[] => [...text.matchAll(CODE)].map(([, code = ""]) => code);

/** Reads the skill's tables: the formulas with their arguments, each with its values. */
export function readSkill(skill: string): SkillFormula[] {
  const lists = new Map(
    [...skill.matchAll(/^- ([A-Z_]+): (.*)$/gm)].map(([, list = "", text]) => [list, listCode(text)]),
  );
  return [...skill.matchAll(CHAPTER)].map(([, name = "", signature = "", body = ""]) => {
    const described = new Map(
      [...body.matchAll(/^- `(\w+)`: (.*)$/gm)].map(([, each = "", text = ""]) => [each, text]),
    );
    const toArgument = (written: string): Argument => {
      const argument = written.replace(/[[\]]/g, "");
      const text = described.get(argument) ?? "";
      const [, list = ""] = / Values: ([A-Z_]+)\./.exec(text) ?? [];
      const listed = (lists.get(list) ?? []).map((value) => `"${value}"`);
      return {
        name: argument,
        isOptional: written !== argument,
        written: listCode(/ Write (.*)\.$/.exec(text)?.[1]),
        listed,
      };
    };
    return { name, arguments: signature.split(", ").filter(Boolean).map(toArgument) };
  });
}

/** Arguments that do not go together, by the rows of the skill's table, which say so. */
const CONFLICTS: Readonly<Record<string, (given: Given) => boolean>> = {
  "FINANCIAL | several metrics": ({ metric = "", year = "" }) => /[{,]/.test(metric) && year.includes(":"),
  'FINANCIALS | layout is `"statement"`': ({ layout, companies = "" }) =>
    layout === '"statement"' && companies.includes(","),
  "COMPANY | several companies": ({ company = "", field = "" }) => company.includes(",") && field === "",
  "COMPANIES | fields": ({ fields = "" }) =>
    /"(representatives|industryClassifications|registeredAddress"|employees"|employees\.\w*onsolidated")/.test(fields),
  'UNIVERSE | country is `"ALL"`': ({ country, top }) => country === '"ALL"' && top === "",
  'TAXONOMY | level is `"sector"`': ({ level, parent }) => level === '"sector"' && parent !== "",
  'RANKING.MOVERS | ranking is `"industries"`': ({ ranking, fields = "" }) =>
    ranking === '"industries"' && /company|ticker|headquarters|engagement/i.test(fields),
  'RANKING | start is a period such as `"-7d"` or `"2024-01"`': ({ start = "", end = "" }) =>
    !/\d{4}-\d\d-\d\d/.test(start) && end !== "",
};

type Given = Readonly<Record<string, string>>;

/** The rows of the skill's table of arguments that go together, each with whether formulas keep to it here. */
export const listConflicts = (skill: string): [row: string, isKept: boolean][] => {
  const [, table = ""] = /^\| formula \| where \| then \|\n\|[-|]+\n((?:\|.*\n)*)/m.exec(skill) ?? [];
  const rows = table.trim().split("\n");
  return rows
    .map((row) => row.split(" | ").slice(0, 2).join(" | ").replace("| ", ""))
    .map((row) => [row, row in CONFLICTS]);
};

/** Writes a formula by the skill's tables alone: what must be given is, what may be left out is now and then. */
export function writeFormula(formula: SkillFormula, chance: Chance): string {
  const given = formula.arguments.map((each) => pickValue(each, chance));
  const byName = Object.fromEntries(formula.arguments.map(({ name }, nth) => [name, given[nth] ?? ""]));
  const isConflict = Object.entries(CONFLICTS).some(
    ([row, conflicts]) => `FEED.${row.split(" |")[0]}` === formula.name && conflicts(byName),
  );
  if (isConflict) return writeFormula(formula, chance);
  return `${formula.name}(${given.join(", ").replace(/(, )+$/, "")})`;
}

function pickValue({ isOptional, written, listed }: Argument, chance: Chance): string {
  if (isOptional && chance.happens(0.5)) return "";
  const values = listed.length > 0 && (written.length === 0 || chance.happens(0.4)) ? listed : written;
  return values.length === 0 ? "" : chance.pick(values);
}
