/** The strip, the grid and the pane, which Tab alone does not leave: in the grid it moves to the next cell. */
interface Regions {
  strip: HTMLElement;
  grid: HTMLElement;
  pane: HTMLIFrameElement;
  /** Whether somebody is writing into a cell; then Escape comes first. */
  isEditing(): boolean;
}

type Region = "strip" | "grid" | "pane";

/** What the engine listens at for keys. */
const GRID_INPUT = ".o-grid .o-composer";
const FOCUSABLE = "summary, button:not([disabled]), a[href], input, [tabindex='0']";

/** Moves the focus by F6 between the page's regions, as Excel does, and back by Shift+F6. */
export function bindRegions(root: Document, regions: Regions): void {
  let lastInPane: Element | null = null;
  const focus = (region: Region) => {
    if (region === "grid") regions.grid.querySelector<HTMLElement>(GRID_INPUT)?.focus();
    else if (region === "strip") findFirst(regions.strip)?.focus();
    else focusPane(regions.pane, lastInPane);
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.key !== "F6" || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    if (!regions.isEditing()) focus(pickNext(regions, findCurrent(root, regions), event.shiftKey ? -1 : 1));
  };
  // Capturing, since the grid stops its keys.
  root.addEventListener("keydown", onKey, { capture: true });
  // The pane's page has events of its own, and forgets its focus once another page has it.
  regions.pane.addEventListener("load", () => {
    regions.pane.contentWindow?.addEventListener("keydown", onKey, { capture: true });
    regions.pane.contentDocument?.addEventListener("focusin", ({ target }) => {
      lastInPane = target as Element;
    });
  });
}

function findCurrent({ activeElement }: Document, { strip, pane }: Regions): Region {
  if (activeElement === pane) return "pane";
  return strip.contains(activeElement) ? "strip" : "grid";
}

function pickNext({ pane }: Regions, current: Region, step: number): Region {
  const order: Region[] = pane.checkVisibility() ? ["strip", "grid", "pane"] : ["strip", "grid"];
  return order.at((order.indexOf(current) + step) % order.length) ?? "grid";
}

/** Focuses where somebody has been in the pane before, else its first button or field. */
function focusPane({ contentDocument, contentWindow }: HTMLIFrameElement, last: Element | null): void {
  contentWindow?.focus();
  const target = last?.checkVisibility() ? (last as HTMLElement) : findFirst(contentDocument?.body);
  target?.focus();
}

const findFirst = (region?: HTMLElement | null) =>
  [...(region?.querySelectorAll<HTMLElement>(FOCUSABLE) ?? [])].find((element) => element.checkVisibility());
