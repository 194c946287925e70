import { Link } from "@fluentui/react-components";
import { readNamespace } from "../namespace";
import type { Desk } from "./desk";
import { browse, showPane } from "./office";

/** Opens the help page of the selected formula, or the list of all; as a link in the pane where the host opens none. */
export async function openHelp({ session, workbook, texts, tell }: Desk): Promise<void> {
  // Help is for those who are stuck: a cell that is being edited, or no selection, must not keep it from them.
  const { formula } = await workbook.readSelection().catch(() => ({ formula: "" }));
  const name = findFormula(formula, session.formulas.has);
  const address = toHelpAddress(name, texts.language);
  if (browse(address)) return;
  void showPane();
  const { helpOn, helpOnAll } = texts.ofCommands;
  const label = name === null ? helpOnAll : helpOn(`${readNamespace()}.${name}`);
  tell({
    intent: "info",
    text: (
      <Link href={address} target="_blank" rel="noopener">
        {label}
      </Link>
    ),
  });
}

/**
 * The first of our formulas in a cell's formula, without the namespace; null where there is none.
 *
 * @param isKnown whether there is a formula of this name
 */
export function findFormula(formula: string, isKnown: (name: string) => boolean): string | null {
  const code = formula.replace(/"[^"]*"/g, "");
  const calls = new RegExp(`(?<![\\w.])(?:_xldudf_)?${readNamespace()}[._]([A-Z][A-Z._]*)\\s*\\(`, "gi");
  for (const [, written = ""] of code.matchAll(calls)) {
    // A file names a function it does not know as _xldudf_FEED_RANKING_PAGES.
    const name = written.replaceAll("_", ".").toUpperCase();
    if (isKnown(name)) return name;
  }
  return null;
}

const toHelpAddress = (name: string | null, language: "en" | "ja") =>
  new URL(`/reference/${language === "ja" ? "ja/" : ""}${name ?? "index"}.html`, location.origin).href;
