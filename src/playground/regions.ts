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
  const onKey = (event: KeyboardEvent) => {
    if (event.key !== "F6" || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    if (!regions.isEditing()) focus(regions, pickNext(regions, findCurrent(root, regions), event.shiftKey ? -1 : 1));
  };
  // Capturing, since the grid stops its keys.
  root.addEventListener("keydown", onKey, { capture: true });
  // The pane's page has events of its own.
  regions.pane.addEventListener("load", () =>
    regions.pane.contentWindow?.addEventListener("keydown", onKey, { capture: true }),
  );
}

function findCurrent({ activeElement }: Document, { strip, pane }: Regions): Region {
  if (activeElement === pane) return "pane";
  return strip.contains(activeElement) ? "strip" : "grid";
}

function pickNext({ pane }: Regions, current: Region, step: number): Region {
  const order: Region[] = pane.checkVisibility() ? ["strip", "grid", "pane"] : ["strip", "grid"];
  return order.at((order.indexOf(current) + step) % order.length) ?? "grid";
}

function focus({ strip, grid, pane }: Regions, region: Region): void {
  if (region === "grid") grid.querySelector<HTMLElement>(GRID_INPUT)?.focus();
  else if (region === "strip") findFirst(strip)?.focus();
  else focusPane(pane);
}

/** Where somebody has been in the pane before, the focus is there again. */
function focusPane({ contentDocument: page, contentWindow }: HTMLIFrameElement): void {
  contentWindow?.focus();
  if (page?.activeElement === page?.body) findFirst(page?.body)?.focus();
}

const findFirst = (region?: HTMLElement | null) =>
  [...(region?.querySelectorAll<HTMLElement>(FOCUSABLE) ?? [])].find((element) => element.checkVisibility());
