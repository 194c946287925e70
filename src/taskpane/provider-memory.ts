import type { Session } from "../session/session";
import type { PaneContext } from "./pane";

/** Has the workbook keep whose figures it shows, each time that has changed. */
export function keepProvider(session: Pick<Session, "settings">, keep: PaneContext["keep"]): () => void {
  let kept = session.settings.provider;
  return () => {
    const { provider } = session.settings;
    if (provider === null || provider === kept) return;
    kept = provider;
    keep({ provider }).catch(() => {}); // a workbook that keeps nothing is only less safe the next time
  };
}
