import { usePane } from "../pane";
import type { StoredAlerts } from "./alert";
import { readAlertStore } from "./store";

/** Returns a function that changes and stores rules or alerts, and warns where storing fails. */
export function useStoredAlerts(): (changed: Partial<StoredAlerts>) => Promise<void> {
  const { notify, texts } = usePane();
  return async (changed) => {
    try {
      await readAlertStore().change(changed);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      notify({ intent: "warning", text: texts.notPersisted(reason) });
    }
  };
}
