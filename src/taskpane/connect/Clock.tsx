import { MessageBar, MessageBarBody, makeStyles, tokens } from "@fluentui/react-components";
import { LARGEST_CORRECTED_SKEW_MS } from "../../contract/door";
import type { Texts } from "../texts";
import { toSpan } from "../texts/ages";

const useStyles = makeStyles({ clock: { marginTop: tokens.spacingVerticalS } });

/** Says that the companion's clock is off, and what assertions are signed by meanwhile. */
export function Clock({ skewMs, texts }: { skewMs: number; texts: Texts }) {
  const styles = useStyles();
  const words = texts.ofConnect.clock;
  const off = (skewMs > 0 ? words.ahead : words.behind)(toSpan(Math.abs(skewMs), texts.language));
  const isCorrected = Math.abs(skewMs) <= LARGEST_CORRECTED_SKEW_MS;
  return (
    <MessageBar intent="warning" layout="multiline" className={styles.clock}>
      <MessageBarBody>{isCorrected ? words.corrected(off) : words.tooFar(off)}</MessageBarBody>
    </MessageBar>
  );
}
