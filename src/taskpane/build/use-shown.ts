import { type RefObject, useEffect, useState } from "react";

/** Whether an element's tab is shown and its folds are open. */
export function useShown(place: RefObject<HTMLElement | null>): boolean {
  const [isShown, setShown] = useState(true);
  useEffect(() => {
    const around = ["[role=tabpanel]", "details"].flatMap((selector) => place.current?.closest(selector) ?? []);
    const look = () => setShown(around.every((element) => !element.matches("[hidden], details:not([open])")));
    const observer = new MutationObserver(look);
    for (const element of around) observer.observe(element, { attributes: true, attributeFilter: ["hidden", "open"] });
    look();
    return () => observer.disconnect();
  }, [place]);
  return isShown;
}
