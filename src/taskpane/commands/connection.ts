import type { Session } from "../../session/session";
import type { Desk } from "./desk";

/** Whether there is a connection, after trying for one; where there is none it says so, and what can be done. */
export async function ensureConnection(desk: Desk, retry: () => void): Promise<boolean> {
  const { session, texts, notify, open } = desk;
  const { disconnectedByHand, notConnected, connectAndRefresh, showConnect } = texts.ofCommands;
  // Whoever disconnected did so on purpose: only they connect again.
  if (session.state().status === "disconnected") {
    const connect = { label: connectAndRefresh, act: () => void session.connect().then(retry) };
    notify({ intent: "warning", text: disconnectedByHand, actions: [connect] });
    return false;
  }
  // What the browser calls offline may do without a network, as sample data on this machine: one try tells.
  if (session.state().status !== "connected" || session.offlineSinceMs() !== null) {
    notify({ intent: "info", text: texts.connecting });
    await connect(session);
  }
  if (session.state().status === "connected") return true;
  if (session.offlineSinceMs() !== null) {
    const again = { label: texts.ofCommands.retry, act: retry };
    notify({ intent: "warning", text: texts.ofOffline.nothingSent, actions: [again] });
    return false;
  }
  const show = { label: showConnect, act: () => open("connect") };
  notify({ intent: "error", text: notConnected, actions: [show] });
  return false;
}

/** Connects, or waits for the connecting that is under way. */
async function connect(session: Session): Promise<void> {
  if (session.state().status !== "connecting") return session.connect();
  await new Promise<void>((resolve) => {
    const stop = session.subscribe(() => {
      if (session.state().status === "connecting") return;
      stop();
      resolve();
    });
  });
}
