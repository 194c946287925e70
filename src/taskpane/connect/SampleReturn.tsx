import { Button, MessageBar, MessageBarBody, MessageBarTitle, makeStyles, tokens } from "@fluentui/react-components";
import { useEffect, useRef, useState } from "react";
import { usePane } from "../pane";
import { Reason } from "../Reason";

const useStyles = makeStyles({
  place: { marginTop: tokens.spacingVerticalM },
  buttons: {
    display: "flex",
    flexWrap: "wrap",
    gap: tokens.spacingHorizontalS,
    margin: `${tokens.spacingVerticalS} 0`,
  },
});

interface SampleReturnProps {
  /** Leaves everything as it is. */
  stay: () => void;
  /** Is called when sample data is in force, for this then goes. */
  onLeft: () => void;
}

/** Says what going back to sample data does, and does it when that is confirmed. */
export function SampleReturn({ stay, onLeft }: SampleReturnProps) {
  const { session, texts } = usePane();
  const styles = useStyles();
  const words = texts.ofConnect.provider;
  const [failure, setFailure] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const safe = useRef<HTMLButtonElement>(null);
  useEffect(() => safe.current?.focus(), []);
  const leave = async () => {
    if (isBusy) return;
    setBusy(true);
    try {
      await (await session.setUp()).returnToSample();
      onLeft();
    } catch (error) {
      setFailure(error);
      setBusy(false);
    }
  };
  return (
    <MessageBar intent="warning" layout="multiline" className={styles.place}>
      <MessageBarBody>
        <MessageBarTitle>{words.toSampleTitle}</MessageBarTitle>
        {words.toSampleText}
        <div className={styles.buttons}>
          <Button size="small" ref={safe} onClick={stay}>
            {words.toSampleNo}
          </Button>
          <Button size="small" disabledFocusable={isBusy} onClick={() => void leave()}>
            {words.toSampleYes}
          </Button>
        </div>
        <div role="status">{failure !== null && <Reason error={failure} texts={texts} />}</div>
      </MessageBarBody>
    </MessageBar>
  );
}
