import { registries } from "@odoo/o-spreadsheet";
import type { CommandId, Commands } from "./office";
import type { Texts } from "./texts";
import type { CellView } from "./workbook";

/** Binds the markup of the line of state above the grid. All texts are set as text, never as markup. */
export function createStrip(root: Document, texts: Texts) {
  const part = (id: string) => root.getElementById(id) as HTMLElement;
  part("provider").textContent = texts.contacting;
  part("formulas").textContent = texts.formulas;
  (part("formulas") as HTMLAnchorElement).href = texts.reference;
  part("sample").textContent = texts.sampleBadge;
  part("sample").title = texts.sampleHint;

  return {
    /** Shows the configured provider. */
    showProvider(sentence: string) {
      part("provider").textContent = sentence;
    },
    /** Shows an error of the page, permanently. */
    showTrouble(sentence: string) {
      const line = root.createElement("p");
      line.textContent = sentence;
      part("trouble").append(line);
    },
    showSampleBadge(isShown: boolean) {
      part("sample").hidden = !isShown;
    },
    /** Shows the sentence of the selected cell's error, or nothing. */
    showCell({ error }: CellView) {
      part("cell-error").hidden = !error?.message;
      part("cell-error").title = error ? `${error.code} ${error.message}` : "";
      part("cell-error-code").textContent = error?.code ?? "";
      part("cell-error-text").textContent = error?.message ?? "";
    },
  };
}

const SHOWN: readonly CommandId[] = ["refreshAll"];
const FOLDED: readonly CommandId[] = ["refreshSelection", "aboutCell", "freeze", "repair", "help"];

/** Says in place of the grid that the engine has ended, with a button that shows the workbook again. */
export function offerAgain(target: HTMLElement, texts: Pick<Texts, "ended" | "showAgain">, again: () => void): void {
  const root = target.ownerDocument;
  const button = Object.assign(root.createElement("button"), { type: "button", textContent: texts.showAgain });
  button.addEventListener("click", again);
  const line = Object.assign(root.createElement("p"), { className: "note", role: "alert" });
  line.append(texts.ended, " ", button);
  target.replaceChildren(line);
  button.focus();
}

/** Adds the add-in's commands to the strip, all but the first behind one button. */
export function showCommands(root: Document, texts: Texts, commands: Commands): void {
  const more = root.getElementById("more") as HTMLDetailsElement;
  const createButton = (id: CommandId) => {
    const button = Object.assign(root.createElement("button"), { type: "button", textContent: texts.commands[id] });
    button.addEventListener("click", () => {
      more.open = false;
      commands.run(id);
    });
    return button;
  };
  more.before(...SHOWN.map(createButton));
  more.querySelector("summary")?.append(texts.moreCommands);
  more.querySelector("div")?.append(...FOLDED.map(createButton));
  letClose(root, more);
}

/** Adds the commands to the menu of the grid's cells. */
export function addCellMenu(texts: Texts, commands: Commands): void {
  const menu = registries.cellMenuRegistry.add("feed", { name: "FEED", sequence: 200 });
  for (const [index, id] of [...SHOWN, ...FOLDED].entries()) {
    menu.addChild(`feed_${id}`, ["feed"], {
      name: texts.commands[id],
      sequence: index,
      execute: () => commands.run(id),
    });
  }
}

/** Closes a fold by Escape, which restores the focus, and by a click elsewhere. */
export function letClose(root: Document, fold: HTMLDetailsElement): void {
  // Capturing, since the grid stops its keys and clicks.
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
  // A click into the pane, whose frame has its own events.
  root.defaultView?.addEventListener("blur", () => {
    if (root.activeElement?.tagName === "IFRAME") fold.open = false;
  });
}

/** Below this width the panel lies over the grid. */
const WIDE = "(min-width: 900px)";

/** Binds the add-in's pane and its button; on a wide screen it is open at first, and its page runs on while it is hidden. */
export function createSidePanel(root: Document, texts: Texts) {
  const part = (id: string) => root.getElementById(id) as HTMLElement;
  const [panel, button, frame] = [part("panel"), part("panel-button"), part("pane") as HTMLIFrameElement];
  let notify: (isShown: boolean) => void = () => {};
  const show = (isShown: boolean) => {
    panel.hidden = !isShown;
    notify(isShown);
    button.setAttribute("aria-expanded", String(isShown));
  };
  button.textContent = texts.pane;
  frame.title = texts.pane;
  button.addEventListener("click", () => show(panel.hidden));
  show(matchMedia(WIDE).matches);
  return {
    frame,
    show: () => show(true),
    hide: () => show(false),
    /** Calls back when it is shown or hidden; the listener is the one of the page that started last. */
    onChange(listener: (isShown: boolean) => void) {
      notify = listener;
    },
  };
}

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
    if (region === "grid") (regions.grid.querySelector<HTMLElement>(GRID_INPUT) ?? findFirst(regions.grid))?.focus();
    else if (region === "strip") findFirst(regions.strip)?.focus();
    else focusPane(regions.pane, lastInPane);
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.key !== "F6" || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    // Nothing has the focus where the print preview has just taken the grid's place.
    if (root.activeElement === root.body) focus("grid");
    else if (!regions.isEditing()) focus(pickNext(regions, findCurrent(root, regions), event.shiftKey ? -1 : 1));
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
  // The pane's page draws the focus once it has seen a key, and this one went to another page.
  contentDocument?.body.dispatchEvent(new KeyboardEvent("keydown", { key: "Tab", bubbles: true }));
  const target = last?.checkVisibility() ? (last as HTMLElement) : findFirst(contentDocument?.body);
  target?.focus();
}

const findFirst = (region?: HTMLElement | null) =>
  [...(region?.querySelectorAll<HTMLElement>(FOCUSABLE) ?? [])].find((element) => element.checkVisibility());
