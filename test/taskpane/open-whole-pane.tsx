import { FluentProvider, webLightTheme } from "@fluentui/react-components";
import { beforeAll } from "@jest/globals";
import { fireEvent, render, screen, within } from "@testing-library/react/pure";
import type { FeedCell, Workbook } from "../../src/contract/workbook";
import type { Query } from "../../src/feed/query-cache";
import type { Call } from "../../src/session/calls";
import type { Session } from "../../src/session/session";
import type { CommandId } from "../../src/taskpane/commands/office";
import { loadParts, Pane } from "../../src/taskpane/Pane";
import { toTexts } from "../../src/taskpane/texts";
import { toCall } from "./call";
import { createFakeWorkbook } from "./fake-workbook";
import { receive, session } from "./pane-sessions";

// The parts' scripts are loaded, so that an opened part shows at once.
beforeAll(loadParts);

interface Whole {
  language?: string;
  /** The cells the workbook lists. */
  cells?: FeedCell[];
  /** Overrides of the fake workbook. */
  workbook?: Partial<Workbook>;
}

/** Shows the whole pane on a fake workbook, and gives the ribbon's commands. */
export function openWholePane(session: Session, { language = "en-US", cells = [], workbook = {} }: Whole = {}) {
  const fake = createFakeWorkbook(cells);
  let press: (command: CommandId) => void = () => {};
  render(
    <FluentProvider theme={webLightTheme}>
      <Pane
        session={session}
        workbook={{ ...fake, ...workbook }}
        host={{ language, hasNumberProperties: true }}
        texts={toTexts(language)}
        persist={async () => {}}
        serve={(run) => {
          press = run;
        }}
      />
    </FluentProvider>,
  );
  return {
    fake,
    press: (command: CommandId) => press(command),
    /** Presses a command, and waits for its message. */
    async run(command: CommandId, message: string | RegExp): Promise<void> {
      press(command);
      await receive(message);
    },
  };
}

/** Shows the whole pane on the test's session, and runs a command until its message. */
export const openAndRun = (command: CommandId, message: string | RegExp, whole?: Whole) =>
  openWholePane(session, whole).run(command, message);

/** A tab of the pane itself: a part may have its own. */
export const findTab = (name: string) =>
  within(screen.getByRole("tablist", { name: "FEED for Excel" })).getByRole("tab", { name });

export const openTab = (name: string) => fireEvent.click(findTab(name));

/** Opens the settings as the menu does. */
export function openSettings(): void {
  fireEvent.click(screen.getByRole("button", { name: "Menu" }));
  fireEvent.click(screen.getByRole("button", { name: "Settings" }));
}

/**
 * Subscribes a cell's formula to a query, until it is answered or has failed.
 * @param more Overrides; default a RANKING without arguments.
 */
export function enterFormula(
  session: Session,
  address: string,
  query: Query<unknown>,
  more: Partial<Call> = {},
): Promise<void> {
  session.calls.add(toCall({ address, queries: [query], ...more }));
  return new Promise((resolve) => {
    session.feed.queryCache.observe(query, ({ status }) => status !== "pending" && resolve());
  });
}
