import { useSyncExternalStore } from "react";
import type { Session } from "../../session/session";
import { usePane } from "../pane";

/** The state of the connection, as the pane tells it. */
export type Connection = "idle" | "connecting" | "connected" | "disconnected" | "failed" | "unpaired" | "offline";

/** The present state of the connection. */
export function useConnection(): Connection {
  const { session } = usePane();
  return useSyncExternalStore(session.subscribe, () => readConnection(session));
}

function readConnection(session: Session): Connection {
  const { status } = session.state();
  if (status === "failed" && session.pairing() === "wanted") return "unpaired";
  const isOffline = session.offlineSinceMs() !== null && status !== "disconnected";
  return isOffline ? "offline" : status;
}
