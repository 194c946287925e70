import type { Texts } from "./texts";

/** Below this the panel would leave the grid no room, and lies over it. */
const WIDE = "(min-width: 900px)";

/** The place of the add-in's pane beside the grid; its page goes on running while it is hidden. */
interface SidePanel {
  readonly frame: HTMLIFrameElement;
  show(): void;
  hide(): void;
}

/** Brings the panel and its button to life; on a wide screen it is shown from the beginning. */
export function createSidePanel(root: Document, texts: Texts): SidePanel {
  const part = (id: string) => root.getElementById(id) as HTMLElement;
  const [panel, button, frame] = [part("panel"), part("panel-button"), part("pane") as HTMLIFrameElement];
  const show = (isShown: boolean) => {
    panel.hidden = !isShown;
    button.setAttribute("aria-expanded", String(isShown));
  };
  button.textContent = texts.pane;
  frame.title = texts.pane;
  button.addEventListener("click", () => show(panel.hidden));
  show(matchMedia(WIDE).matches);
  return { frame, show: () => show(true), hide: () => show(false) };
}
