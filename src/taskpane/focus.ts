import { type KeyboardEvent, type RefObject, useEffect, useLayoutEffect, useRef } from "react";

/** Restores the focus when what had it disappears: to the next button of its message, else to what had it before. */
export function useStableFocus(place: RefObject<HTMLElement | null>, said: unknown): void {
  const before = useRef<HTMLElement | null>(null);
  const isWithin = useRef(false);
  // An effect after the paint would miss a focus that comes at once.
  useLayoutEffect(() => {
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

/** Brings the section of some work into sight at each of its steps, and keeps the focus there when a step takes the focused button away. */
export function useStepsInSight(place: RefObject<HTMLElement | null>, step: string): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: each step draws the section anew
  useEffect(() => {
    place.current?.closest("section, details")?.scrollIntoView?.({ block: "nearest" });
    if (document.hasFocus() && document.activeElement === document.body) {
      place.current?.focus({ preventScroll: true });
    }
  }, [place, step]);
}
