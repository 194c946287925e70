import { makeStyles, tokens } from "@fluentui/react-components";
import { Component, type ReactNode, useCallback, useEffect, useMemo, useState } from "react";
import { runCommand } from "./commands";
import type { CommandId } from "./commands/office";
import { Notification } from "./Notification";
import { Context, type Notice, type PaneContext, TABS } from "./pane";
import { Confirm } from "./pane/Confirm";
import { Head } from "./pane/Head";
import { NotConnected } from "./pane/NotConnected";
import { Panel } from "./pane/Panel";
import { PartFailure } from "./pane/PartFailure";
import { SettingsPage } from "./pane/SettingsPage";
import { type Parts, useParts } from "./pane/use-parts";
import { Tabs, toTabIds } from "./Tabs";
import type { Texts } from "./texts";

const useStyles = makeStyles({
  page: { display: "flex", flexDirection: "column", minHeight: "100vh", boxSizing: "border-box" },
  top: {
    position: "sticky",
    top: 0,
    zIndex: 1,
    backgroundColor: tokens.colorNeutralBackground1,
    borderBottom: `1px solid ${tokens.colorNeutralStroke2}`,
  },
  tabs: {
    paddingLeft: tokens.spacingHorizontalS,
    "@media (max-width: 300px)": { paddingLeft: tokens.spacingHorizontalXS },
    "&[hidden]": { display: "none" },
  },
  parts: { "&[hidden]": { display: "none" } },
  part: { padding: tokens.spacingHorizontalL, "&[hidden]": { display: "none" } },
});

/** Results and prompts end when the person opens another part; errors and running work stay. */
const isOfPart = ({ intent, actions }: Notice) =>
  intent === "success" || (intent === "warning" && actions !== undefined);

interface PaneProps extends Omit<PaneContext, "notify" | "open" | "run"> {
  /** Receives the function that runs the ribbon's commands. */
  serve: (run: (command: CommandId) => void) => void;
}

/** The pane: tabs, each of which keeps its input while another one is shown, and a page of settings. */
export function Pane({ serve, session, workbook, host, texts, persist }: PaneProps) {
  const styles = useStyles();
  const parts = useParts(session);
  const { tab, isInSettings, opener, leaveSettings } = parts;
  const { notice, setNotice, open } = useNotice(parts.open);
  const pane = useMemo(() => {
    const desk = { session, workbook, host, texts, persist, notify: setNotice, open };
    return { ...desk, run: (command: CommandId) => void runCommand(command, desk) };
  }, [session, workbook, host, texts, persist, setNotice, open]);
  useEffect(() => serve(pane.run), [serve, pane]);
  return (
    <Context value={pane}>
      <main className={styles.page}>
        <div className={styles.top}>
          <Head />
          <div hidden={isInSettings} className={styles.tabs}>
            <Tabs id="part" label={texts.product} tabs={texts.parts} shown={tab} open={open} />
          </div>
        </div>
        <Confirm />
        <Notification notice={notice} end={() => setNotice(null)} texts={texts} />
        <div hidden={isInSettings} className={styles.parts}>
          <NotConnected />
          <Panels {...parts} texts={texts} />
        </div>
        <SettingsPage isShown={isInSettings} opener={opener} leave={leaveSettings}>
          <Boundary name={texts.ofHead.settings} texts={texts}>
            {parts.visited.has("settings") && <Panel part="settings" handoffs={parts.handoffs} />}
          </Boundary>
        </SettingsPage>
      </main>
    </Context>
  );
}

/** The panels of the tabs. */
function Panels({ tab, visited, handoffs, texts }: Pick<Parts, "tab" | "visited" | "handoffs"> & { texts: Texts }) {
  const styles = useStyles();
  return TABS.map((name) => (
    <div
      key={name}
      id={toTabIds("part", name).panel}
      role="tabpanel"
      aria-labelledby={toTabIds("part", name).tab}
      hidden={name !== tab}
      className={styles.part}
    >
      <Boundary name={texts.parts[name]} texts={texts}>
        {visited.has(name) && <Panel part={name} handoffs={handoffs} />}
      </Boundary>
    </div>
  ));
}

/** The notice on top, and the function that opens a part and ends the notices of the one before. */
function useNotice(show: PaneContext["open"]) {
  const [notice, setNotice] = useState<Notice | null>(null);
  const open = useCallback<PaneContext["open"]>(
    (...wanted) => {
      setNotice((before) => (before !== null && isOfPart(before) ? null : before));
      show(...wanted);
    },
    [show],
  );
  return { notice, setNotice, open };
}

interface BoundaryProps {
  /** The part's name for the person. */
  name: string;
  texts: Texts;
  children: ReactNode;
}

/** Contains an error of one part; React reports errors only to a class. */
export class Boundary extends Component<BoundaryProps, { hasFailed: boolean }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError = () => ({ hasFailed: true });

  override render() {
    const { name, texts, children } = this.props;
    if (!this.state.hasFailed) return children;
    const { partFailed, retry } = texts.ofCommands;
    return <PartFailure text={partFailed(name)} label={retry} retry={() => this.setState({ hasFailed: false })} />;
  }
}
