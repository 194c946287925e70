/** Closes what a button of the strip unfolds: by Escape, which gives the focus back to it, and by a click elsewhere. */
export function letClose(root: Document, fold: HTMLDetailsElement): void {
  // Capturing: the grid keeps its keys and clicks from going further.
  root.addEventListener(
    "keydown",
    (event) => {
      if (event.key !== "Escape" || !fold.open) return;
      event.stopPropagation();
      fold.open = false;
      fold.querySelector("summary")?.focus();
    },
    { capture: true },
  );
  root.addEventListener(
    "pointerdown",
    ({ target }) => {
      if (!fold.contains(target as Node)) fold.open = false;
    },
    { capture: true },
  );
  // A click into the pane, whose page keeps its events to itself.
  root.defaultView?.addEventListener("blur", () => {
    if (root.activeElement?.tagName === "IFRAME") fold.open = false;
  });
}
