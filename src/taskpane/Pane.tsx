import { Button, makeStyles, mergeClasses, tokens, typographyStyles } from "@fluentui/react-components";
import { Component, type ReactNode, type RefObject, useCallback, useEffect, useMemo, useRef, useState } from "react";
import type { Ports } from "../client/ports";
import type { Session } from "../session/session";
import { TOOLS } from "../tools";
import { runCommand } from "./commands";
import type { CommandId } from "./commands/office";
import { FIND_SCRIPTS, Find } from "./Find";
import { pressOnce } from "./focus";
import { Row, useLook } from "./layout";
import { Notification } from "./Notification";
import { Context, type Handoffs, type Notice, type PaneContext, type Part, TABS, type Tab, usePane } from "./pane";
import { Confirm } from "./pane/Confirm";
import { NotConnected } from "./pane/Connection";
import { Head } from "./pane/Head";
import { createScript, PartFailure, type Script, ScriptPart } from "./pane/ScriptPart";
import { Tabs, toTabIds } from "./Tabs";
import type { Texts } from "./texts";

const useStyles = makeStyles({
  // The shown part scrolls alone, so that messages stay in sight; a low pane scrolls whole.
  page: { display: "flex", flexDirection: "column", height: "100vh", overflowY: "auto" },
  top: { position: "relative", flexShrink: 0, borderBottom: `1px solid ${tokens.colorNeutralStroke2}` },
  tabs: {
    paddingLeft: tokens.spacingHorizontalS,
    "@media (max-width: 300px)": { paddingLeft: tokens.spacingHorizontalXS },
    "&[hidden]": { display: "none" },
  },
  parts: { display: "flex", flexDirection: "column", flex: "1 1 0", "&[hidden]": { display: "none" } },
  part: {
    position: "relative",
    flex: "1 1 0",
    minHeight: "12em",
    padding: tokens.spacingHorizontalL,
    // Engines differ in whether a bar at the bottom stops above a padding.
    paddingBottom: 0,
    "::after": { content: '""', display: "block", height: tokens.spacingHorizontalL },
    overflowY: "auto",
    "&[hidden]": { display: "none" },
  },
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
  // biome-ignore lint/correctness/useExhaustiveDependencies: the focused element may disappear with its part
  useEffect(() => {
    if (document.hasFocus() && document.activeElement?.closest("[hidden]")) returnFocus(null);
  }, [tab, isInSettings]);
  return (
    <Context value={pane}>
      <main className={styles.page} onKeyDownCapture={pressOnce}>
        <div className={styles.top}>
          <Head />
          <div hidden={isInSettings} className={styles.tabs}>
            <Tabs id="part" label={texts.product} tabs={texts.parts} shown={tab} open={open} />
          </div>
        </div>
        <Confirm />
        <Notification notice={notice} end={() => setNotice(null)} />
        <div hidden={isInSettings} className={styles.parts}>
          <NotConnected />
          <Panels {...parts} />
        </div>
        <SettingsPage isShown={isInSettings} opener={opener} leave={leaveSettings}>
          <Boundary name={texts.ofHead.settings}>
            {parts.visited.has("settings") && <Panel part="settings" handoffs={parts.handoffs} />}
          </Boundary>
        </SettingsPage>
      </main>
    </Context>
  );
}

/** The panels of the tabs. */
function Panels({ tab, visited, handoffs }: Pick<Parts, "tab" | "visited" | "handoffs">) {
  const { texts } = usePane();
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
      <Boundary name={texts.parts[name]}>{visited.has(name) && <Panel part={name} handoffs={handoffs} />}</Boundary>
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
  children: ReactNode;
}

/** Contains an error of one part; React reports errors only to a class. */
export class Boundary extends Component<BoundaryProps, { hasFailed: boolean }> {
  static override contextType = Context;
  declare context: PaneContext;
  override state = { hasFailed: false };

  static getDerivedStateFromError = () => ({ hasFailed: true });

  override render() {
    const { name, children } = this.props;
    if (!this.state.hasFailed) return children;
    return (
      <PartFailure
        text={this.context.texts.ofCommands.partFailed(name)}
        retry={() => this.setState({ hasFailed: false })}
      />
    );
  }
}

type Show = (handoffs: Partial<Handoffs>) => ReactNode;

/** Each part but the first is a script of its own, so that the first one shows early. */
const SCRIPTS: Readonly<Record<Exclude<Part, "find">, Script<Show>>> = {
  build: createScript(async () => {
    const { Build } = await import(/* webpackChunkName: "build" */ "./Build");
    return ({ build }) => <Build handoff={build} />;
  }),
  sheets: createScript(async () => {
    const part = import(/* webpackChunkName: "sheets" */ "./Sheets");
    const [{ Sheets }] = await Promise.all([part, ...TOOLS.sheets.map(({ load }) => load())]);
    return ({ sheets }) => <Sheets handoff={sheets} />;
  }),
  cell: createScript(async () => {
    const { ThisCell } = await import(/* webpackChunkName: "cell" */ "./ThisCell");
    return ({ cell }) => <ThisCell handoff={cell} />;
  }),
  changes: createScript(async () => {
    const { Changes } = await import(/* webpackChunkName: "changes" */ "./Changes");
    return ({ changes }) => <Changes handoff={changes} />;
  }),
  settings: createScript(async () => {
    const { Settings } = await import(/* webpackChunkName: "settings" */ "./Settings");
    return () => <Settings />;
  }),
};

/** Loads the scripts of all parts, so that each opens at once; opening a part retries a failed one. */
export async function loadParts(): Promise<void> {
  await Promise.allSettled([...Object.values(SCRIPTS), ...FIND_SCRIPTS].map(({ load }) => load()));
}

/** A part, once its script has loaded. */
export function Panel({ part, handoffs }: { part: Part; handoffs: Partial<Handoffs> }) {
  const { texts } = usePane();
  if (part === "find") return <Find handoff={handoffs.find} />;
  return (
    <ScriptPart script={SCRIPTS[part]} name={toPartName(part, texts)}>
      {(show) => show(handoffs)}
    </ScriptPart>
  );
}

/** A part's name for the person. */
const toPartName = (part: Part, { parts, ofHead }: Texts): string =>
  part === "settings" ? ofHead.settings : parts[part];

const useTitleStyles = makeStyles({ title: { ...typographyStyles.subtitle2, margin: 0 } });

interface SettingsPageProps extends Pick<Parts, "opener"> {
  isShown: boolean;
  leave: () => void;
  children: ReactNode;
}

/** The page of settings, in the place of the tabs. Its heading takes the focus, which Back returns. */
function SettingsPage({ isShown, leave, opener, children }: SettingsPageProps) {
  const { ofHead } = usePane().texts;
  const styles = { ...useStyles(), ...useTitleStyles() };
  const look = useLook();
  const title = useRef<HTMLHeadingElement>(null);
  const isReturning = useRef(false);
  useEffect(() => {
    if (isShown) title.current?.focus();
    else if (isReturning.current) returnFocus(opener.current);
    isReturning.current = false;
  }, [isShown, opener]);
  const back = () => {
    isReturning.current = true;
    leave();
  };
  return (
    <section hidden={!isShown} aria-labelledby="settings" className={styles.part}>
      <Row align="center" isOneLine className={look.belowM}>
        <Button size="small" onClick={back}>
          <span aria-hidden>‹&nbsp;</span>
          {ofHead.back}
        </Button>
        <h2 id="settings" ref={title} tabIndex={-1} className={mergeClasses(look.target, styles.title)}>
          {ofHead.settings}
        </h2>
      </Row>
      {children}
    </section>
  );
}

/** An element that has gone, as a button of a message, gives the focus to the shown tab. */
function returnFocus(opener: Element | null): void {
  if (opener instanceof HTMLElement) opener.focus();
  if (document.activeElement === opener && opener !== document.body) return;
  document.querySelector<HTMLElement>('[role="tab"][aria-selected="true"]')?.focus();
}

/** The shown part, and the visited ones, which keep their input. */
interface Parts {
  tab: Tab;
  /** Whether the page of settings shows in the place of the tabs. */
  isInSettings: boolean;
  visited: ReadonlySet<Part>;
  handoffs: Partial<Handoffs>;
  open: PaneContext["open"];
  /** Returns from the settings to the tabs. */
  leaveSettings: () => void;
  /** The element that had the focus when the settings opened. */
  opener: RefObject<Element | null>;
}

function useParts(session: Session): Parts {
  const { ports } = session;
  const [tab, setTab] = useState<Tab>(() => readLastTab(ports));
  const [isInSettings, setInSettings] = useState(false);
  const [visited, setVisited] = useState<ReadonlySet<Part>>(new Set([tab]));
  const [handoffs, setHandoffs] = useState<Partial<Handoffs>>({});
  const opener = useRef<Element>(null);
  const visit = useCallback((part: Part) => {
    setVisited((before) => (before.has(part) ? before : new Set([...before, part])));
  }, []);
  const open = useCallback(
    (part: Part, handoff?: unknown) => {
      visit(part);
      setInSettings(part === "settings");
      if (part === "settings") {
        opener.current = document.activeElement;
        return;
      }
      setTab(part);
      storeLastTab(ports, part);
      if (handoff !== undefined) setHandoffs((before) => ({ ...before, [part]: handoff }));
    },
    [ports, visit],
  ) as PaneContext["open"];
  useUnseenSignIn(session, visit);
  const leaveSettings = useCallback(() => setInSettings(false), []);
  return { tab, isInSettings, visited, handoffs, open, leaveSettings, opener };
}

/** Loads the settings unseen while the page is unpaired: only they sign in silently and learn of a pairing elsewhere. */
function useUnseenSignIn(session: Session, visit: (part: Part) => void): void {
  useEffect(() => {
    const look = () => {
      if (session.state().status === "failed" && session.pairing() === "wanted") visit("settings");
    };
    look();
    return session.subscribe(look);
  }, [session, visit]);
}

/** In the origin's local storage, which a browser may refuse. */
const LAST_TAB = "feed.part";

function readLastTab({ storage }: Ports): Tab {
  try {
    const stored = storage().getItem(LAST_TAB);
    return TABS.find((tab) => tab === stored) ?? TABS[0];
  } catch {
    return TABS[0];
  }
}

function storeLastTab({ storage }: Ports, tab: Tab): void {
  try {
    storage().setItem(LAST_TAB, tab);
  } catch {}
}
