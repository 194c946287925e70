import { Button, Spinner } from "@fluentui/react-components";
import { useRef, useState } from "react";
import { RequestList } from "../activity/RequestList";
import { type Snapshot, useSnapshot } from "../activity/snapshot";
import { Fold } from "../Fold";
import { Hint, useLook } from "../layout";
import { usePane } from "../pane";

const SHOWN_AT_ONCE = 20;

/** The logged requests, newest first; read once the person unfolds them. */
export function Requests() {
  const { ofActivity } = usePane().texts;
  const [isWanted, setWanted] = useState(false);
  return (
    <Fold title={ofActivity.requests} onOpen={() => setWanted(true)}>
      {isWanted && <Log />}
    </Fold>
  );
}

function Log() {
  const { session } = usePane();
  const place = useRef<HTMLDivElement>(null);
  const snapshot = useSnapshot(session, place);
  return <div ref={place}>{snapshot === null ? <Spinner size="small" /> : <Logged snapshot={snapshot} />}</div>;
}

function Logged({ snapshot: { requests, served } }: { snapshot: Snapshot }) {
  const { ofActivity } = usePane().texts;
  const look = useLook();
  const [shown, setShown] = useState(SHOWN_AT_ONCE);
  const left = requests.length - shown;
  return (
    <>
      <Hint block className={look.belowXS}>
        {requests.length === 0 ? ofActivity.noRequests : ofActivity.requestsHint}
      </Hint>
      {requests.length > 0 && <RequestList requests={requests.slice(0, shown)} served={served} />}
      {left > 0 && (
        <Button size="small" appearance="subtle" onClick={() => setShown(shown + SHOWN_AT_ONCE)}>
          {ofActivity.showMore(Math.min(left, SHOWN_AT_ONCE))}
        </Button>
      )}
    </>
  );
}
