import { registries } from "@odoo/o-spreadsheet";
import type { CommandId, Commands } from "./commands";
import { letClose } from "./folds";
import type { Texts } from "./texts";

const SHOWN: readonly CommandId[] = ["refreshAll"];
const FOLDED: readonly CommandId[] = ["refreshSelection", "aboutCell", "freezeSelection", "repairNames", "help"];

/** Puts the add-in's commands into the strip, all but the first folded behind one button. */
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

/** Puts them into the menu of the grid's cells too. */
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
