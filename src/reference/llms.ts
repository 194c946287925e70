import type { DocumentPage } from "./documents";
import { FORMULAS } from "./formulas";
import type { FunctionMetadata } from "./metadata";

const ABOUT = `# FEED for Excel

> Excel formulas that fetch financials of private companies in Asia, industries and peers, and page-view rankings of Japan's listed companies.

Figures belong into cells as formulas, which stay live. Companies and figures of the examples are fictional.`;

/**
 * Lists for assistants what is served, as llmstxt.org describes it; addresses are beside it.
 * @param functions the formulas in the order in which they are listed
 * @param hasSkill whether the skill is served
 */
export function createLlms(
  functions: readonly FunctionMetadata[],
  documents: readonly DocumentPage[],
  hasSkill: boolean,
): string {
  const formulas = functions.map(({ id, name }) => toLink(`FEED.${name}`, `${id}.md`, FORMULAS.get(id)?.gives.en));
  const english = documents.filter(({ source }) => source.language === "en");
  const list = (isOptional: boolean) => {
    const pages = english.filter(({ source }) => (source.readers === "analysts") !== isOptional);
    return pages.map(({ title, source }) => toLink(title, source.file)).join("\n");
  };
  const skill = hasSkill ? [toLink("Skill", "skill.md", "how an assistant writes these formulas")] : [];
  const parts = [ABOUT, "## Formulas", [...skill, ...formulas].join("\n")];
  return `${[...parts, "## Documents", list(false), "## Optional", list(true)].join("\n\n")}\n`;
}

const toLink = (title: string, file: string, note?: string): string =>
  `- [${title}](${file})${note === undefined ? "" : `: ${note}`}`;
