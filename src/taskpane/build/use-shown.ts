import { type RefObject, useEffect, useState } from "react";

/** Whether a part of the pane is the one that is shown; the others stay in the page. */
export function useShown(place: RefObject<HTMLElement | null>): boolean {
  const [isShown, setShown] = useState(true);
  useEffect(() => {
    const panel = place.current?.closest("[role=tabpanel]");
    if (!panel) return;
    const look = () => setShown(!panel.hasAttribute("hidden"));
    const observer = new MutationObserver(look);
    observer.observe(panel, { attributes: true, attributeFilter: ["hidden"] });
    look();
    return () => observer.disconnect();
  }, [place]);
  return isShown;
}
