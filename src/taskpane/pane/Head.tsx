import { Button, Caption1, Link, makeStyles, ProgressBar, Spinner, Title3, tokens } from "@fluentui/react-components";
import { type KeyboardEvent, useEffect, useRef, useState, useSyncExternalStore } from "react";
import { COMMAND_GROUPS, type CommandId, readShortcuts, type Shortcuts } from "../commands/office";
import { toBar } from "../commands/RefreshNotice";
import { usePane } from "../pane";
import { Status } from "./Connection";
import { Announcement, Offline, Paused, usePauses } from "./Paused";

const useStyles = makeStyles({
  head: {
    display: "flex",
    flexWrap: "wrap",
    alignItems: "center",
    columnGap: tokens.spacingHorizontalXS,
    padding: `${tokens.spacingVerticalS} ${tokens.spacingHorizontalS} 0 ${tokens.spacingHorizontalL}`,
  },
  title: {
    marginBlock: 0,
    marginInline: "0 auto",
    fontSize: tokens.fontSizeBase400,
    lineHeight: tokens.lineHeightBase400,
    "@media (max-width: 300px)": { fontSize: tokens.fontSizeBase300 },
  },
  refresh: { minWidth: 0, whiteSpace: "nowrap" },
});

/** The pane's name, its two buttons, the state of the connection, and warnings. */
export function Head() {
  const { session, texts } = usePane();
  const styles = useStyles();
  const pauses = usePauses(session);
  return (
    <div className={styles.head}>
      <Title3 as="h1" className={styles.title}>
        {texts.product}
      </Title3>
      <RefreshAll />
      <More />
      <Status pauses={pauses} />
      <Offline />
      <Paused pauses={pauses} />
      <Storage />
      <Refresh />
    </div>
  );
}

function RefreshAll() {
  const { session, texts, run } = usePane();
  const styles = useStyles();
  const isRunning = useSyncExternalStore(session.subscribe, () => session.refreshing.state().running !== null);
  const { refreshAll: keys } = useShortcuts();
  return (
    <Button
      size="small"
      className={styles.refresh}
      title={keys ?? undefined}
      disabledFocusable={isRunning}
      icon={isRunning ? <Spinner size="extra-tiny" aria-hidden /> : undefined}
      onClick={() => run("refreshAll")}
    >
      {texts.refresh}
    </Button>
  );
}

const useMoreStyles = makeStyles({
  more: { minWidth: 0, paddingInline: tokens.spacingHorizontalSNudge },
  commands: {
    flexBasis: "100%",
    minWidth: 0,
    padding: `${tokens.spacingVerticalXS} 0`,
    margin: `0 0 0 calc(-1 * ${tokens.spacingHorizontalS})`,
    border: "none",
    borderTop: `1px solid ${tokens.colorNeutralStroke2}`,
  },
  group: {
    display: "grid",
    gridTemplateColumns: "1fr 1fr",
    "& + &": {
      marginTop: tokens.spacingVerticalXS,
      paddingTop: tokens.spacingVerticalXS,
      borderTop: `1px solid ${tokens.colorNeutralStroke2}`,
    },
  },
  command: { justifyContent: "flex-start", textAlign: "start", fontWeight: tokens.fontWeightRegular },
  keys: {
    color: tokens.colorNeutralForeground3,
    fontSize: tokens.fontSizeBase100,
    lineHeight: tokens.lineHeightBase100,
  },
});

/** The menu: the settings, and the commands of the ribbon and the cell menu, for keyboards and for hosts without them. */
function More() {
  const { texts, run, open } = usePane();
  const styles = useMoreStyles();
  const [isOpen, setIsOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const close = () => {
    setIsOpen(false);
    button.current?.focus(); // the focused button disappears
  };
  const closeOnEscape = ({ key }: KeyboardEvent) => {
    if (isOpen && key === "Escape") close();
  };
  const choose = (command: CommandId) => {
    close();
    run(command);
  };
  const openSettings = () => {
    close();
    open("settings");
  };
  const { more } = texts.ofCommands;
  return (
    <>
      <Button
        ref={button}
        className={styles.more}
        appearance="subtle"
        size="small"
        aria-label={more}
        aria-expanded={isOpen}
        onClick={() => setIsOpen(!isOpen)}
        onKeyDown={closeOnEscape}
      >
        <span aria-hidden>⋯</span>
      </Button>
      {isOpen && (
        <fieldset aria-label={more} className={styles.commands} onKeyDown={closeOnEscape}>
          <div className={styles.group}>
            <Button className={styles.command} appearance="subtle" size="small" onClick={openSettings}>
              {texts.ofHead.settings}
            </Button>
          </div>
          <Buttons choose={choose} />
        </fieldset>
      )}
    </>
  );
}

function Buttons({ choose }: { choose: (command: CommandId) => void }) {
  const { session, texts } = usePane();
  const styles = useMoreStyles();
  const isRunning = useSyncExternalStore(session.subscribe, () => session.refreshing.state().running !== null);
  const shortcuts = useShortcuts();
  // Refresh all has a button of its own.
  const isOffered = (command: CommandId) => command !== "refreshAll" && (command !== "cancelRefresh" || isRunning);
  return Object.entries(COMMAND_GROUPS).map(([group, commands]) => (
    <div key={group} className={styles.group}>
      {commands.filter(isOffered).map((command) => (
        <Button
          key={command}
          className={styles.command}
          appearance="subtle"
          size="small"
          title={shortcuts[command] ?? undefined}
          onClick={() => choose(command)}
        >
          <span>
            {texts.ofCommands.commands[command]}
            <Caption1 block aria-hidden className={styles.keys}>
              {shortcuts[command]}
            </Caption1>
          </span>
        </Button>
      ))}
    </div>
  ));
}

const useRefreshStyles = makeStyles({ bar: { position: "absolute", left: 0, right: 0, bottom: 0, width: "auto" } });

/** A line below the tabs during a refresh; nothing moves, and nothing is read out. */
function Refresh() {
  const { session, texts } = usePane();
  const styles = useRefreshStyles();
  const percent = useSyncExternalStore(session.subscribe, () => {
    const { running } = session.refreshing.state();
    return running && Math.floor((running.done / Math.max(running.total, 1)) * 100);
  });
  if (percent === null) return null;
  const text = texts.ofRefresh.running(percent);
  return <ProgressBar className={styles.bar} aria-label={text} title={text} {...toBar(percent, 100)} />;
}

/** The keys by command, read when a component appears; empty until then. */
function useShortcuts(): Shortcuts {
  const [shortcuts, setShortcuts] = useState<Shortcuts>({});
  useEffect(() => {
    let isCurrent = true;
    void readShortcuts().then((read) => isCurrent && setShortcuts(read));
    return () => {
      isCurrent = false;
    };
  }, []);
  return shortcuts;
}

const useStorageStyles = makeStyles({
  line: { margin: `0 0 ${tokens.spacingVerticalXXS}`, color: tokens.colorNeutralForeground2 },
  link: { fontSize: "inherit" },
});

/** Warns that nothing is stored on this computer, and leads to the remedy. */
function Storage() {
  const { session, texts, open } = usePane();
  const styles = useStorageStyles();
  const { activity, persistedData } = session.feed;
  const hindrance = useSyncExternalStore(activity.onChange, persistedData.hindrance);
  return (
    <Announcement>
      {hindrance !== null && (
        <Caption1 as="p" block className={styles.line}>
          {texts.ofSettings.persisted.nothing[hindrance].what}{" "}
          <Link as="button" className={styles.link} onClick={() => open("settings")}>
            {texts.cure}
          </Link>
        </Caption1>
      )}
    </Announcement>
  );
}
