import { Button } from "@fluentui/react-components";
import { useEffectEvent, useLayoutEffect, useRef } from "react";
import { useStableFocus } from "./focus";
import { Message, usePinned } from "./layout";
import { type Notice, usePane } from "./pane";

interface NotificationProps {
  notice: Notice | null;
  /** Removes the notice. */
  end: () => void;
}

/** The pane's one place for results and prompts, announced by screen readers. */
export function Notification({ notice, end }: NotificationProps) {
  const { texts } = usePane();
  const place = useRef<HTMLDivElement>(null);
  useStableFocus(place, notice);
  const endNow = useEffectEvent(end);
  useLayoutEffect(() => notice?.until?.(() => endNow()), [notice]); // in the commit that shows it: another refresh may begin next
  const ending = (act: () => void) => () => {
    end();
    act();
  };
  return (
    <div ref={place} role="status" className={usePinned().place} onKeyDown={({ key }) => key === "Escape" && end()}>
      {notice !== null && (
        <Message
          intent={notice.intent}
          actions={notice.actions?.map(({ label, act }) => ({ label, act: ending(act) }))}
          aside={
            <Button
              size="small"
              appearance="transparent"
              aria-label={texts.close}
              icon={<span aria-hidden>✕</span>}
              onClick={end}
            />
          }
        >
          {notice.text}
          {notice.list}
        </Message>
      )}
    </div>
  );
}
