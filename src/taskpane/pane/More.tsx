import { Button, makeStyles, tokens } from "@fluentui/react-components";
import { type KeyboardEvent, useRef, useState, useSyncExternalStore } from "react";
import { COMMAND_GROUPS, type CommandId } from "../commands/command";
import { usePane } from "../pane";

const useStyles = makeStyles({
  more: { marginLeft: "auto", minWidth: 0 },
  commands: {
    order: 2,
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
  command: { justifyContent: "flex-start", fontWeight: tokens.fontWeightRegular },
});

/** What the ribbon and the cell's menu offer, for keyboards and for hosts that show neither. */
export function More() {
  const { texts, run } = usePane();
  const styles = useStyles();
  const [isOpen, setIsOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const close = () => {
    setIsOpen(false);
    button.current?.focus(); // what has it now goes away
  };
  const closeOnEscape = ({ key }: KeyboardEvent) => {
    if (isOpen && key === "Escape") close();
  };
  const choose = (command: CommandId) => {
    close();
    run(command);
  };
  const { more } = texts.ofCommands;
  return (
    <>
      <Button
        ref={button}
        className={styles.more}
        appearance="subtle"
        size="small"
        aria-expanded={isOpen}
        onClick={() => setIsOpen(!isOpen)}
        onKeyDown={closeOnEscape}
      >
        {more} <span aria-hidden>{isOpen ? "▴" : "▾"}</span>
      </Button>
      {isOpen && (
        <fieldset aria-label={more} className={styles.commands} onKeyDown={closeOnEscape}>
          <Buttons choose={choose} />
        </fieldset>
      )}
    </>
  );
}

function Buttons({ choose }: { choose: (command: CommandId) => void }) {
  const { session, texts } = usePane();
  const styles = useStyles();
  const isRunning = useSyncExternalStore(session.subscribe, () => session.refreshing.state().running !== null);
  const isOffered = (command: CommandId) => command !== "cancelRefresh" || isRunning;
  return Object.entries(COMMAND_GROUPS).map(([group, commands]) => (
    <div key={group} className={styles.group}>
      {commands.filter(isOffered).map((command) => (
        <Button
          key={command}
          className={styles.command}
          appearance="subtle"
          size="small"
          onClick={() => choose(command)}
        >
          {texts.ofCommands.commands[command]}
        </Button>
      ))}
    </div>
  ));
}
