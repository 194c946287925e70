import type { Session } from "../../session/session";
import { untilConnected } from "../notice-ends";
import type { Desk } from "./desk";

/** Tries to connect; without a connection it notifies the person and resolves to false. */
export async function ensureConnection(desk: Desk, retry: () => void): Promise<boolean> {
  const { session, texts, notify, open } = desk;
  const { disconnectedByHand, notConnected, connectAndRefresh, showSettings } = texts.ofCommands;
  // The person disconnected on purpose, so only they connect again.
  if (session.state().status === "disconnected") {
    const connect = { label: connectAndRefresh, act: () => void session.connect().then(retry) };
    notify({ intent: "warning", text: disconnectedByHand, actions: [connect], until: untilConnected(session) });
    return false;
  }
  // Sample data on this machine needs no network, so an offline browser tries once too.
  if (session.state().status !== "connected" || session.offlineSinceMs() !== null) {
    notify({ intent: "info", text: texts.connecting });
    await connect(session);
  }
  if (session.state().status === "connected") return true;
  if (session.offlineSinceMs() !== null) {
    const again = { label: texts.ofCommands.retry, act: retry };
    notify({ intent: "warning", text: texts.ofOffline.nothingSent, actions: [again], until: untilConnected(session) });
    return false;
  }
  const show = { label: showSettings, act: () => open("settings") };
  notify({ intent: "error", text: notConnected, actions: [show], until: untilConnected(session) });
  return false;
}

/** Connects, or waits for the attempt that is under way. */
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
