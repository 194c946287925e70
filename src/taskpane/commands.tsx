import { Link } from "@fluentui/react-components";
import { loadScript } from "../feed/script";
import { browse, type CommandId, showPane } from "./commands/office";
import { cancelRefresh, refreshAll, refreshSome } from "./commands/refresh";
import { listCalls, readNamespace } from "./formula-text";
import { attempt, type Desk } from "./pane";
import { withSeparators } from "./separators";

/** Formulas are frozen now and then, and seldom repaired. The pane shows meanwhile, and says where a script fails to come. */
const loadCommand = <T,>(load: () => Promise<T>): Promise<T> => {
  void showPane();
  return loadScript(load);
};
const loadFreezing = () => loadCommand(() => import(/* webpackChunkName: "frozen" */ "./commands/freezing"));
const loadRepair = () => loadCommand(() => import(/* webpackChunkName: "frozen" */ "./commands/repair"));
const loadRefreshing = () => loadCommand(() => import(/* webpackChunkName: "frozen" */ "./commands/choose-refresh"));

const WORK: Readonly<Record<CommandId, (desk: Desk) => Promise<void>>> = {
  refreshAll,
  refreshSelection: (desk) => refreshSome(desk, "selection"),
  refresh: async (desk) => (await loadRefreshing()).chooseRefresh(desk),
  cancelRefresh,
  freeze: async (desk) => (await loadFreezing()).freeze(desk),
  thaw: async (desk) => (await loadFreezing()).thaw(desk),
  copyValues: async (desk) => (await loadFreezing()).copyValues(desk),
  aboutCell: showAboutCell,
  repair: async (desk) => (await loadRepair()).repair(desk),
  help: openHelp,
};

/** Runs a command; its messages, prompts and errors show on top of the pane. Never rejects. */
export const runCommand = (command: CommandId, desk: Desk): Promise<void> => attempt(desk, WORK[command]);

/** Shows the provenance of the selected cell's value. */
export async function showAboutCell({ open }: Desk): Promise<void> {
  void showPane();
  open("cell", { about: "cell" });
}

/** Opens the help page of the selected formula, or the list of all; shows a link where the host opens no page. */
async function openHelp({ session, workbook, texts, notify }: Desk): Promise<void> {
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
      <Link inline href={address} target="_blank" rel="noopener">
        {label}
      </Link>
    ),
  });
}

const toHelpAddress = (name: string | null, language: "en" | "ja") =>
  withSeparators(new URL(`/reference/${language === "ja" ? "ja/" : ""}${name ?? "index"}.html`, location.origin).href);
