import { type KeyboardEvent, type RefObject, useEffect, useRef } from "react";

/** Restores the focus when what had it disappears: to the next button of its message, else to what had it before. */
export function useStableFocus(place: RefObject<HTMLElement | null>, said: unknown): void {
  const before = useRef<HTMLElement | null>(null);
  const isWithin = useRef(false);
  useEffect(() => {
    const follow = ({ target }: FocusEvent) => {
      isWithin.current = place.current?.contains(target as Node) === true;
      if (!isWithin.current) before.current = target as HTMLElement;
    };
    document.addEventListener("focusin", follow);
    return () => document.removeEventListener("focusin", follow);
  }, [place]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the focused element disappears with its message
  useEffect(() => {
    if (!isWithin.current || document.activeElement !== document.body) return;
    const next = place.current?.querySelector<HTMLElement>("button");
    (next ?? before.current)?.focus();
    if (document.activeElement === document.body)
      document.querySelector<HTMLElement>('[role="tab"][aria-selected="true"]')?.focus();
  }, [said]);
}

/** Focuses an element that shows, unless the person is typing in a field. */
export function takeFocus(element: HTMLElement | null): void {
  const isTyping = document.activeElement instanceof HTMLInputElement;
  if (!isTyping && element?.closest("[hidden]") === null) element.focus();
}

/** Enter that is held down presses nothing: the focus may have moved to a button that confirms. */
export function pressOnce(event: KeyboardEvent): void {
  if (event.repeat && event.key === "Enter" && !(event.target instanceof HTMLTextAreaElement)) event.preventDefault();
}
