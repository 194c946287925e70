import { type RefObject, useEffect } from "react";

/**
 * Gives a field the focus when its part of the pane is opened, and when a card that stood before it is closed. A pane
 * that shows the part by itself while the person is in the sheet takes nothing from her.
 *
 * @param card what stands before the field; null when nothing does
 */
export function useFirstFocus(field: RefObject<HTMLElement | null>, card: object | null): void {
  useEffect(() => {
    if (card !== null) return;
    const focus = () => document.hasFocus() && field.current?.focus({ preventScroll: true });
    focus();
    const panel = field.current?.closest("main > [role=tabpanel]") ?? null;
    if (panel === null) return;
    const observer = new MutationObserver(() => panel.hasAttribute("hidden") || focus());
    observer.observe(panel, { attributeFilter: ["hidden"] });
    return () => observer.disconnect();
  }, [field, card]);
}
