import { ERRORS } from "../client/errors";
import { CURES } from "../feed/cures";
import { ENUMERATIONS, isOpen } from "./enumerations";
import type { FormulaReference, Section } from "./formula";
import type { FunctionMetadata } from "./metadata";
import { toSignature } from "./page";
import { HEADINGS, type Language } from "./texts";

/** One formula in one language. */
interface MarkdownSource {
  metadata: FunctionMetadata;
  reference: FormulaReference;
  language: Language;
}

/** Makes a formula's page as Markdown, which an assistant reads: the same as the page, without links and results. */
export function createMarkdown(source: MarkdownSource): string {
  const { metadata, reference, language } = source;
  const { requests, fields = [], sections = [], errors, examples } = reference;
  const heading = (key: "arguments" | "fields" | "examples" | "errors") => `## ${HEADINGS[key][language]}`;
  const parts = [
    `# FEED.${metadata.name}`,
    metadata.description,
    `\`=${toSignature(metadata)}\``,
    `${HEADINGS.requests[language]}${HEADINGS.colon[language]}${requests[language]}`,
    heading("arguments"),
    metadata.parameters.map(({ name, description }) => listAccepted(name, description, source)).join("\n"),
    ...listValues(source),
    ...(fields.length === 0 ? [] : [heading("fields"), fields.map(({ name }) => `\`${name}\``).join(", ")]),
    ...sections.map((section) => toSection(section, language)),
    heading("examples"),
    examples.map(({ formula, shows }) => toItem(formula, shows[language], language)).join("\n"),
    heading("errors"),
    errors.map((code) => toItem(code, `${ERRORS[code].cell} ${CURES[code][language]}`, language)).join("\n"),
  ];
  return `${parts.join("\n\n")}\n`;
}

const toItem = (code: string, text: string, language: Language): string =>
  `- \`${code}\`${HEADINGS.colon[language]}${text}`;

function listAccepted(name: string, description = "", { reference, language }: MarkdownSource): string {
  const accepts = reference.arguments[name]?.accepts?.[language];
  return toItem(name, [description, accepts].filter(Boolean).join(". "), language);
}

/** The lists of values; those of fields have a part of their own. */
function listValues({ metadata, language }: MarkdownSource): string[] {
  const ids = new Set(metadata.parameters.flatMap(({ customEnumId }) => customEnumId ?? []));
  return [...ids].flatMap((id) => {
    if (id.endsWith("_FIELD")) return [];
    const names = metadata.parameters.filter(({ customEnumId }) => customEnumId === id).map(({ name }) => name);
    const values = [...(ENUMERATIONS.get(id) ?? [])].map(([value, text]) => toItem(value, text[language], language));
    const heading = `## ${HEADINGS.values[language]}${HEADINGS.colon[language]}${names.join(", ")}`;
    return [heading, values.join("\n"), ...(isOpen(id) ? [HEADINGS.otherValues[language]] : [])];
  });
}

function toSection({ title, paragraphs, table }: Section, language: Language): string {
  const rows = table && [table.headings, table.headings.map(() => ({ en: "---", ja: "---" })), ...table.rows];
  const lines = rows?.map((row) => `| ${row.map((text) => text[language]).join(" | ")} |`).join("\n");
  return [`## ${title[language]}`, ...paragraphs.map((text) => text[language]), lines].filter(Boolean).join("\n\n");
}
