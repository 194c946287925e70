import { Button, makeStyles, Title3, tokens } from "@fluentui/react-components";
import { type KeyboardEvent, useRef, useState, useSyncExternalStore } from "react";
import { TOOLS } from "../../tools";
import { type CommandId, MENU, readShortcuts, type Shortcuts } from "../commands/office";
import { Bar, BusyButton, Hint, Row } from "../layout";
import { usePane } from "../pane";
import { useLoaded } from "../query";
import { toPercent } from "../texts/quantities";
import { Status } from "./Connection";
import { Offline, Paused, Storage, usePauses } from "./Warnings";

const useStyles = makeStyles({
  head: {
    rowGap: 0,
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
    <Row gap="XS" align="center" className={styles.head}>
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
    </Row>
  );
}

function RefreshAll() {
  const { session, texts, run } = usePane();
  const styles = useStyles();
  const isRunning = useSyncExternalStore(session.subscribe, () => session.refreshing.state().running !== null);
  const { refreshAll: keys } = useShortcuts();
  return (
    <BusyButton
      size="small"
      className={styles.refresh}
      title={keys ?? undefined}
      isBusy={isRunning}
      onClick={() => run("refreshAll")}
    >
      {texts.refresh}
    </BusyButton>
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
  keys: { fontSize: tokens.fontSizeBase100, lineHeight: tokens.lineHeightBase100 },
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
  const go = (act: () => void) => () => {
    close();
    act();
  };
  const places = [
    { name: texts.ofHead.settings, act: () => open("settings") },
    ...TOOLS.changes.map(({ id, title }) => ({
      name: title[texts.language],
      act: () => open("changes", { about: id }),
    })),
  ];
  const { more, keys } = texts.ofCommands;
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
            {places.map(({ name, act }) => (
              <Button key={name} className={styles.command} appearance="subtle" size="small" onClick={go(act)}>
                {name}
              </Button>
            ))}
          </div>
          <Buttons choose={choose} />
          <Hint block>{keys}</Hint>
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
  const isOffered = (command: CommandId) => command !== "cancelRefresh" || isRunning;
  return MENU.map((commands) => (
    <div key={commands[0]} className={styles.group}>
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
            <Hint block aria-hidden className={styles.keys}>
              {shortcuts[command]}
            </Hint>
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
    return running && toPercent(running.done, running.total);
  });
  if (percent === null) return null;
  const text = texts.ofRefresh.running(percent);
  return <Bar className={styles.bar} aria-label={text} title={text} value={percent} max={100} />;
}

const NO_SHORTCUTS: Shortcuts = {};

/** The keys by command, read when a component appears; empty until then. */
const useShortcuts = (): Shortcuts => useLoaded(readShortcuts) ?? NO_SHORTCUTS;
