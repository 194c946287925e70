import { FluentProvider, webLightTheme } from "@fluentui/react-components";
import { render } from "@testing-library/react/pure";
import { type ReactNode, useState } from "react";
import type { Session } from "../../src/session/session";
import { runCommand } from "../../src/taskpane/commands";
import { Notification } from "../../src/taskpane/Notification";
import { Context, type Notice, type PaneContext } from "../../src/taskpane/pane";
import { toTexts } from "../../src/taskpane/texts";
import { createFakeWorkbook, type FakeWorkbook } from "./fake-workbook";

interface Opened {
  workbook: FakeWorkbook;
  /** The opened parts, each with its initial task. */
  opened: [part: string, task: unknown][];
  /** The settings that the pane stored in the workbook. */
  stored: object[];
}

/** Shows a part of the pane as the pane does, with its notices, on a fake workbook. */
export function openPart(session: Session, part: ReactNode, options: Partial<PaneContext> = {}): Opened {
  const workbook = createFakeWorkbook();
  const opened: Opened["opened"] = [];
  const stored: object[] = [];
  const pane: Omit<PaneContext, "notify" | "run"> = {
    session,
    workbook,
    host: { language: "en-US", hasNumberProperties: true },
    texts: toTexts("en-US"),
    persist: async (settings) => void stored.push(settings),
    open: (name, task) => void opened.push([name, task]),
    ...options,
  };
  render(<Around {...pane}>{part}</Around>);
  return { workbook, opened, stored };
}

function Around({ children, ...pane }: Omit<PaneContext, "notify" | "run"> & { children: ReactNode }) {
  const [notice, setNotice] = useState<Notice | null>(null);
  const desk = { ...pane, notify: setNotice };
  return (
    <FluentProvider theme={webLightTheme}>
      <Context value={{ ...desk, run: (command) => void runCommand(command, desk) }}>
        <main>
          <Notification notice={notice} end={() => setNotice(null)} />
          {children}
        </main>
      </Context>
    </FluentProvider>
  );
}
