import { Button, MessageBar, MessageBarActions, MessageBarBody, makeStyles, tokens } from "@fluentui/react-components";
import type { Notice } from "./pane";
import type { Texts } from "./texts";

const useStyles = makeStyles({
  place: { ":not(:empty)": { padding: `${tokens.spacingVerticalS} ${tokens.spacingHorizontalL} 0` } },
});

interface NoticesProps {
  notice: Notice | null;
  /** Takes the notice away. */
  end: () => void;
  texts: Texts;
}

/** The pane's one place for what has just been done, or has to be asked; screen readers hear it. */
export function Notices({ notice, end, texts }: NoticesProps) {
  const styles = useStyles();
  return (
    <div role="status" className={styles.place}>
      {notice !== null && (
        <MessageBar intent={notice.intent} layout="multiline">
          <MessageBarBody>{notice.text}</MessageBarBody>
          <MessageBarActions>
            {notice.actions?.map(({ label, act }) => (
              <Button
                key={label}
                size="small"
                onClick={() => {
                  end();
                  act();
                }}
              >
                {label}
              </Button>
            ))}
            <Button size="small" appearance="transparent" onClick={end}>
              {texts.close}
            </Button>
          </MessageBarActions>
        </MessageBar>
      )}
    </div>
  );
}
