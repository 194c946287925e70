import {
  Body1,
  Caption1,
  MessageBar,
  MessageBarBody,
  makeStyles,
  Subtitle2,
  Switch,
  tokens,
} from "@fluentui/react-components";
import { useState, useSyncExternalStore } from "react";
import type { Session } from "../session/session";
import type { Host, KeptSettings } from "./host";
import type { Texts } from "./texts";

const useStyles = makeStyles({
  heading: { margin: `0 0 ${tokens.spacingVerticalS}` },
  hint: { color: tokens.colorNeutralForeground3 },
  refusal: { ":not(:empty)": { marginTop: tokens.spacingVerticalS } },
});

interface WorkbookProps {
  session: Session;
  host: Pick<Host, "hasNumberProperties">;
  /** Has the workbook keep the settings in its file; rejects in words when it does not. */
  keep: (settings: KeptSettings) => Promise<void>;
  texts: Texts;
}

/** What the workbook's owner can choose; it goes with the workbook. */
export function Workbook({ session, host, keep, texts }: WorkbookProps) {
  const styles = useStyles();
  const { numberProperties } = useSyncExternalStore(session.subscribe, () => session.settings);
  const [refusal, setRefusal] = useState<string | null>(null);

  const choose = async (chosen: KeptSettings) => {
    session.change(chosen);
    setRefusal(null);
    try {
      await keep(chosen);
    } catch (error) {
      setRefusal(error instanceof Error ? error.message : String(error));
    }
  };
  return (
    <section>
      <Subtitle2 as="h2" block className={styles.heading}>
        {texts.workbook}
      </Subtitle2>
      {host.hasNumberProperties ? (
        <>
          <Switch
            checked={numberProperties}
            label={texts.numberProperties}
            onChange={(_, { checked }) => void choose({ numberProperties: checked })}
          />
          <Caption1 block className={styles.hint}>
            {texts.numberPropertiesHint}
          </Caption1>
        </>
      ) : (
        <Body1>{texts.noNumberProperties}</Body1>
      )}
      <div role="status" className={styles.refusal}>
        {refusal !== null && (
          <MessageBar intent="warning" layout="multiline">
            <MessageBarBody>{texts.notKept(refusal)}</MessageBarBody>
          </MessageBar>
        )}
      </div>
    </section>
  );
}
