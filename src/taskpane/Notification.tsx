import { Button, MessageBar, MessageBarActions, MessageBarBody, makeStyles, tokens } from "@fluentui/react-components";
import { useEffectEvent, useLayoutEffect, useRef } from "react";
import { useStableFocus } from "./focus";
import { type Notice, usePane } from "./pane";

const useStyles = makeStyles({
  place: { ":not(:empty)": { padding: `${tokens.spacingVerticalS} ${tokens.spacingHorizontalL} 0` } },
  none: { margin: 0 },
});

interface NotificationProps {
  notice: Notice | null;
  /** Removes the notice. */
  end: () => void;
}

/** The pane's one place for results and prompts, announced by screen readers. */
export function Notification({ notice, end }: NotificationProps) {
  const { texts } = usePane();
  const styles = useStyles();
  const place = useRef<HTMLDivElement>(null);
  useStableFocus(place, notice);
  const endNow = useEffectEvent(end);
  useLayoutEffect(() => notice?.until?.(() => endNow()), [notice]); // in the commit that shows it: another refresh may begin next
  return (
    <div ref={place} role="status" className={styles.place}>
      {notice !== null && (
        <MessageBar intent={notice.intent} layout="multiline">
          <MessageBarBody>
            {notice.text}
            {notice.list}
          </MessageBarBody>
          <MessageBarActions
            className={notice.actions === undefined ? styles.none : undefined}
            containerAction={
              <Button
                size="small"
                appearance="transparent"
                aria-label={texts.close}
                icon={<span aria-hidden>✕</span>}
                onClick={end}
              />
            }
          >
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
          </MessageBarActions>
        </MessageBar>
      )}
    </div>
  );
}
