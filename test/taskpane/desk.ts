import { createPorts } from "../../src/client/ports";
import type { CellValue, FeedCell, Workbook } from "../../src/contract/workbook";
import { createSession, type Session } from "../../src/session/session";
import { runCommand } from "../../src/taskpane/commands";
import type { CommandId } from "../../src/taskpane/commands/office";
import type { Desk, Notice } from "../../src/taskpane/pane";
import { toTexts } from "../../src/taskpane/texts";
import { until } from "../support/until";
import { createFakeWorkbook } from "./fake-workbook";

interface Opening {
  /** Default one that is not connected. */
  session?: Session;
  /** The cells the workbook lists. */
  cells?: FeedCell[];
  /** Overrides of the fake workbook. */
  workbook?: Partial<Workbook>;
}

/** What commands and insertions use of the pane, without a page, on a fake workbook. */
export function openDesk({ session = createIdle(), cells = [], workbook = {} }: Opening = {}) {
  const fake = createFakeWorkbook(cells);
  const notices: Notice[] = [];
  const notify = (notice: Notice | null) => void (notice && notices.push(notice));
  const desk: Desk = { session, workbook: { ...fake, ...workbook }, texts: toTexts("en"), notify, open: () => {} };
  const said = () => String(notices.at(-1)?.text);
  return {
    desk,
    fake,
    notices,
    /** The text of the last notice. */
    said,
    /** Runs a command; gives what it says at last. */
    async run(command: CommandId): Promise<string> {
      await runCommand(command, desk);
      return said();
    },
    /** Presses the first button of the last notice with this label, or that begins so, until another one has this text. */
    press(label: string, text: string): Promise<void> {
      notices
        .at(-1)
        ?.actions?.find((each) => each.label.startsWith(label))
        ?.act();
      return until(() => said().includes(text));
    },
  };
}

/** A cell with a formula, and its value. */
export const toCell = (address: string, value: CellValue = 1, sheet = "Sheet1"): FeedCell => ({
  sheet,
  address,
  formula: '=FEED.RANKING("-7d")',
  value,
});

export const createIdle = () => createSession({ ports: createPorts(), companionUrl: "http://127.0.0.1:1" });
