import { useCallback } from "react";
import { usePane } from "./pane";

/**
 * Returns a function that copies a text and notifies the person; it resolves to false where the browser denies copying,
 * as it may in a frame of Excel on the web. Then the text of `shown` is selected, for the person's own keys.
 */
export function useCopy(): (text: string, shown?: HTMLElement | null) => Promise<boolean> {
  const { notify, texts } = usePane();
  return useCallback(
    async (text, shown) => {
      try {
        await navigator.clipboard.writeText(text);
        notify({ intent: "success", text: texts.copied });
        return true;
      } catch {
        select(shown ?? null);
        notify({ intent: "warning", text: texts.copyByHand });
        return false;
      }
    },
    [notify, texts],
  );
}

function select(element: HTMLElement | null): void {
  if (element instanceof HTMLTextAreaElement) {
    element.focus();
    element.select();
  } else if (element !== null) getSelection()?.selectAllChildren(element);
}
