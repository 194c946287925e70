import type { Template } from "../../session/settings";
import { TOOLS } from "../../tools";
import type { Texts } from "../texts";
import type { SheetKind } from "../tool";

/** The kinds of sheets that tools make, by template. Their scripts load with the part for sheets. */
export const listKinds = (): Partial<Readonly<Record<Template, SheetKind>>> =>
  Object.assign({}, ...TOOLS.sheets.map(({ loaded }) => loaded));

/** A template's name for the person; empty where the tool that made the sheet is no longer there. */
export function toTemplateName(template: Template, { ofSheets, language }: Pick<Texts, "ofSheets" | "language">) {
  const own: Readonly<Partial<Record<Template, string>>> = ofSheets.templates;
  return own[template] ?? listKinds()[template]?.title[language] ?? "";
}
