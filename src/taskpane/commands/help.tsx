import { Link } from "@fluentui/react-components";
import { listCalls, readNamespace } from "../formula-text";
import { withSeparators } from "../separators";
import type { Desk } from "./desk";
import { browse, showPane } from "./office";

/** Opens the help page of the selected formula, or the list of all; shows a link where the host opens no page. */
export async function openHelp({ session, workbook, texts, notify }: Desk): Promise<void> {
  // Help must open even while a cell is being edited or nothing is selected.
  const { formula } = await workbook.readSelection().catch(() => ({ formula: "" }));
  const name = listCalls(formula).find(session.formulas.has) ?? null;
  const address = toHelpAddress(name, texts.language);
  if (browse(address)) return;
  void showPane();
  const { helpOn, helpOnAll } = texts.ofCommands;
  const label = name === null ? helpOnAll : helpOn(`${readNamespace()}.${name}`);
  notify({
    intent: "info",
    text: (
      <Link href={address} target="_blank" rel="noopener">
        {label}
      </Link>
    ),
  });
}

const toHelpAddress = (name: string | null, language: "en" | "ja") =>
  withSeparators(new URL(`/reference/${language === "ja" ? "ja/" : ""}${name ?? "index"}.html`, location.origin).href);
