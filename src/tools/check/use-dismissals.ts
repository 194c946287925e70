import { useCallback, useSyncExternalStore } from "react";
import type { Dismissal } from "../../session/settings";
import { attempt } from "../../taskpane/commands/desk";
import { usePane } from "../../taskpane/pane";

interface Dismissals {
  list: readonly Dismissal[];
  dismiss: (key: string, reason: string) => void;
  restore: (key: string) => void;
}

/** The findings that somebody has dismissed, which the workbook stores. */
export function useDismissals(): Dismissals {
  const pane = usePane();
  const { session } = pane;
  const list = useSyncExternalStore(session.subscribe, () => session.settings.dismissals);
  const change = useCallback(
    (dismissals: readonly Dismissal[]) =>
      void attempt(pane, async ({ session, persist }) => {
        session.change({ dismissals });
        await persist({ dismissals });
      }),
    [pane],
  );
  const without = (key: string) => list.filter((each) => each.key !== key);
  return {
    list,
    dismiss: (key, reason) => change([...without(key), { key, reason: reason.trim(), atMs: session.ports.nowMs() }]),
    restore: (key) => change(without(key)),
  };
}
