import { MessageBar, MessageBarBody, makeStyles, tokens } from "@fluentui/react-components";
import { useSyncExternalStore } from "react";
import { LARGEST_CORRECTED_SKEW_MS } from "../../contract/companion-api";
import { usePane } from "../pane";
import { toSpan } from "../texts/ages";

const useStyles = makeStyles({ clock: { marginTop: tokens.spacingVerticalS } });

/** Says that the companion's clock is off, and what assertions are signed by meanwhile; nothing while it is right. */
export function Clock() {
  const { session, texts } = usePane();
  const styles = useStyles();
  const skewMs = useSyncExternalStore(session.subscribe, session.clockSkewMs);
  if (skewMs === 0) return null;
  const words = texts.ofConnect.clock;
  const off = (skewMs > 0 ? words.ahead : words.behind)(toSpan(Math.abs(skewMs), texts.language));
  const isCorrected = Math.abs(skewMs) <= LARGEST_CORRECTED_SKEW_MS;
  return (
    <MessageBar intent="warning" layout="multiline" className={styles.clock}>
      <MessageBarBody>{isCorrected ? words.corrected(off) : words.tooFar(off)}</MessageBarBody>
    </MessageBar>
  );
}
