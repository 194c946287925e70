import { useCallback } from "react";
import { usePane } from "./pane";

/**
 * Gives what copies a text and says so. A browser may deny it to a page in a frame, as Excel on the web shows panes:
 * then `select` selects the text, so that the person's own keys do it.
 */
export function useCopy(): (text: string, select: () => void) => Promise<void> {
  const { notify, texts } = usePane();
  return useCallback(
    async (text, select) => {
      try {
        await navigator.clipboard.writeText(text);
        notify({ intent: "success", text: texts.copied });
      } catch {
        select();
        notify({ intent: "warning", text: texts.copyByHand });
      }
    },
    [notify, texts],
  );
}
