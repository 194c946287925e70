import { type RefObject, useEffect, useRef } from "react";

/** Gives focus back to where it was before, when what had it in a place that says something goes away. */
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
  // biome-ignore lint/correctness/useExhaustiveDependencies: what had focus goes away with what was said before
  useEffect(() => {
    if (!isWithin.current || document.activeElement !== document.body) return;
    before.current?.focus();
    if (document.activeElement === document.body)
      document.querySelector<HTMLElement>('[role="tab"][aria-selected="true"]')?.focus();
  }, [said]);
}

/** Takes the focus to what is now to be done; whoever writes in another field of the pane goes on writing there. */
export function takeFocus(element: HTMLElement | null): void {
  if (!(document.activeElement instanceof HTMLInputElement)) element?.focus();
}
