import { Button, Caption1, mergeClasses } from "@fluentui/react-components";
import { useCallback, useRef, useSyncExternalStore } from "react";
import { SAMPLE } from "../../client/owner";
import type { Waiting } from "../../session/confirmation";
import type { Session } from "../../session/session";
import { useStableFocus } from "../focus";
import { Message, Row, useLook, usePinned } from "../layout";
import { usePane } from "../pane";
import type { Texts } from "../texts";

/** Thousands of cells may change at once. */
const LOOK_AFTER_MS = 100;

/** The prompt that cells wait for; a declined one stays as one quiet line. */
export function Confirm() {
  const { session } = usePane();
  const styles = usePinned();
  const waiting = useWaiting(session);
  const place = useRef<HTMLElement>(null);
  useStableFocus(place, waiting);
  return (
    <section ref={place} role={waiting === null ? undefined : "status"} aria-live="polite" className={styles.place}>
      {waiting !== null &&
        (waiting.isDeclined ? <Declined waiting={waiting} /> : <Query waiting={waiting} key={waiting.reason} />)}
    </section>
  );
}

function Query({ waiting }: { waiting: Waiting }) {
  const { session, texts } = usePane();
  const { text, yes, no } = toWords(waiting, session.settings.requestLimit, texts);
  const { confirm, decline } = session.confirmation;
  return (
    <Message
      intent="warning"
      actions={[
        { label: yes, act: confirm },
        { label: no, act: decline },
      ]}
    >
      {text}
    </Message>
  );
}

function Declined({ waiting }: { waiting: Waiting }) {
  const { session, texts } = usePane();
  const look = useLook();
  return (
    <Row align="center" isOneLine>
      <Caption1 className={mergeClasses(look.growing, look.second)}>{toWords(waiting, 0, texts).declined}</Caption1>
      <Button size="small" className={look.fixed} onClick={session.confirmation.present}>
        {texts.ofConfirm.decide}
      </Button>
    </Row>
  );
}

function toWords(waiting: Waiting, limit: number, { ofConfirm }: Texts) {
  if (waiting.reason === "requests") {
    const { requests } = waiting;
    return {
      text: ofConfirm.requests(requests, limit),
      yes: ofConfirm.send(requests),
      no: ofConfirm.notNow,
      declined: ofConfirm.requestsDeclined(requests),
    };
  }
  const toName = (provider: string) => (provider === SAMPLE ? ofConfirm.sample : provider.replace(/^https?:\/\//, ""));
  const [from, to] = [toName(waiting.from), toName(waiting.to)];
  return {
    text: ofConfirm.provider(from, to),
    yes: ofConfirm.adopt(to),
    no: ofConfirm.leave,
    declined: ofConfirm.providerDeclined(from),
  };
}

function useWaiting({ ports, feed, subscribe, confirmation }: Session): Waiting | null {
  const listen = useCallback(
    (listener: () => void) => {
      let callOff: (() => void) | null = null;
      const lookSoon = () => {
        callOff ??= ports.after(LOOK_AFTER_MS, () => {
          callOff = null;
          listener();
        });
      };
      const stops = [subscribe(listener), feed.activity.onChange(lookSoon)];
      return () => {
        for (const stop of stops) stop();
        callOff?.();
      };
    },
    [ports, feed, subscribe],
  );
  return useSyncExternalStore(listen, confirmation.waiting);
}
