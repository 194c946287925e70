import { useCallback, useEffect, useRef, useState } from "react";
import type { Ports } from "../../client/ports";
import type { Session } from "../../session/session";
import { PARTS, type PaneContext, type Part, type Wishes } from "../pane";

/** What each part was last sent. */
export type Wished = { [P in keyof Wishes]?: Wishes[P] };

/** Which part is shown, and which have been: those keep what was written in them. */
export function useParts(session: Session) {
  const [part, setPart] = useState<Part>("connect");
  const [visited, setVisited] = useState<ReadonlySet<Part>>(new Set(["connect"]));
  const [wished, setWished] = useState<Wished>({});
  const { ports } = session;
  const open = useCallback(
    (shown: Part, wish?: unknown) => {
      keepLastPart(ports, shown);
      setPart(shown);
      setVisited((before) => new Set([...before, shown]));
      if (wish !== undefined) setWished((before) => ({ ...before, [shown]: wish }));
    },
    [ports],
  ) as PaneContext["open"];
  useReturn(session, open);
  return { part, visited, wished, open };
}

/** Goes back to where the person last was, once the pane has connected by itself and unless they do anything meanwhile. */
function useReturn(session: Session, open: (part: Part) => void): void {
  const isOver = useRef(false);
  useEffect(() => {
    const last = readLastPart(session.ports);
    const look = () => {
      const { status } = session.state();
      if (isOver.current || status === "idle" || status === "connecting") return;
      isOver.current = true;
      if (status === "connected" && last !== null && !hasFocus()) open(last);
    };
    look();
    return session.subscribe(look);
  }, [session, open]);
}

const hasFocus = () => document.activeElement !== document.body && document.activeElement !== null;

/** In the origin's local storage, which a browser may refuse. */
const LAST_PART = "feed.part";

function readLastPart({ storage }: Ports): Part | null {
  try {
    const stored = storage().getItem(LAST_PART);
    return PARTS.find((part) => part === stored) ?? null;
  } catch {
    return null;
  }
}

function keepLastPart({ storage }: Ports, part: Part): void {
  try {
    storage().setItem(LAST_PART, part);
  } catch {}
}
