import { ENUMERATIONS, isOpen } from "./enumerations";
import { FORMULA_FAMILIES, FORMULAS } from "./formulas";
import type { FunctionMetadata } from "./metadata";
import { toSignature } from "./page";

/** The skill's own text, with places that the formulas' table fills. It goes with its folder. */
export const SKILL_SOURCE = "src/mcp/skill.md";

/**
 * Makes the skill from which an assistant learns to write formulas.
 * @param template Markdown with the places `{{choice}}`, `{{formulas}}` and `{{values}}`
 * @param functions the formulas in the order in which they are listed
 */
export function createSkill(template: string, functions: readonly FunctionMetadata[]): string {
  const parts = {
    choice: FORMULA_FAMILIES.flatMap(({ formulas }) => Object.entries(formulas)).map(
      ([id, { gives }]) => `| ${gives.en} | \`FEED.${id}\` |`,
    ),
    formulas: functions.map(toChapter),
    values: listValues(functions),
  };
  return template.replace(/\{\{(choice|formulas|values)\}\}/g, (_, part: keyof typeof parts) => parts[part].join("\n"));
}

/** A formula's signature, arguments and examples. */
function toChapter(metadata: FunctionMetadata): string {
  const examples = FORMULAS.get(metadata.id)?.examples ?? [];
  const own = examples.filter(({ formula }) => formula.startsWith(`=FEED.${metadata.name}(`));
  const given = own.map(({ formula }) => splitArguments(formula));
  const lines = metadata.parameters.map(({ name, description, customEnumId }, nth) => {
    const values = customEnumId === undefined ? "" : ` Values: ${customEnumId}.`;
    const written = [...new Set(given.map((each) => each[nth] ?? "").filter((each) => each !== ""))];
    return `- \`${name}\`: ${description}.${values}${written.length === 0 ? "" : ` Write ${listCode(written)}.`}`;
  });
  const shown = examples.map(({ formula, shows }) => `- \`${formula}\` ${shows.en}`);
  return `### ${toSignature(metadata)}\n\n${metadata.description}\n\n${[...lines, ...shown].join("\n")}\n`;
}

const listCode = (values: readonly string[]): string => values.map((each) => `\`${each}\``).join(", ");

/** The arguments of a formula as they are written, "" for one that is left out. */
function splitArguments(formula: string): string[] {
  const parts = [""];
  let depth = 0;
  for (const [token] of formula.replace(/^=[\w.]+\(|\)$/g, "").matchAll(/"(?:[^"]|"")*"|[(){},]|[^"(){},]+/g)) {
    if (token === "," && depth === 0) parts.push("");
    else parts.push(`${parts.pop()}${token}`);
    if ("({".includes(token)) depth++;
    if (")}".includes(token)) depth--;
  }
  return parts.map((part) => part.trim());
}

/** A long list has more values than an assistant needs to be told. */
const MOST_VALUES = 60;

/** Each list of values that arguments name, on a line of its own. */
function listValues(functions: readonly FunctionMetadata[]): string[] {
  const ids = functions.flatMap(({ parameters }) => parameters.flatMap(({ customEnumId }) => customEnumId ?? []));
  return [...new Set(ids)].map((id) => {
    const values = [...(ENUMERATIONS.get(id)?.keys() ?? [])];
    const more = values.length > MOST_VALUES ? ` and ${values.length - MOST_VALUES} more of this kind` : "";
    const end = isOpen(id) ? "" : "; no others";
    return `- ${id}: ${listCode(values.slice(0, MOST_VALUES))}${more}${end}`;
  });
}
