import { Spinner } from "@fluentui/react-components";
import { useRef } from "react";
import { useSnapshot } from "./activity/snapshot";
import { type Handoffs, usePane } from "./pane";
import { Provenance } from "./this-cell/Provenance";

/** Where the selected cell's value comes from. */
export function ThisCell({ handoff }: { handoff?: Handoffs["cell"] | undefined }) {
  const { session } = usePane();
  const part = useRef<HTMLDivElement>(null);
  const snapshot = useSnapshot(session, part);
  return (
    <div ref={part}>
      {snapshot === null ? <Spinner size="small" /> : <Provenance snapshot={snapshot} handoff={handoff} />}
    </div>
  );
}
