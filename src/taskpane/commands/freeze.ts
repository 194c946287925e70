import type { FeedCell, Scope } from "../../contract/workbook";
import { showPlace } from "../addresses";
import { toFaultText } from "../insert";
import type { Desk } from "./desk";
import { showPane } from "./office";

const PLACES_NAMED = 5;

/** Asks whether values are to take the place of FEED formulas, and puts them there when told so. */
export async function freeze(desk: Desk, scope: Scope): Promise<void> {
  void showPane();
  ask(desk, scope, await desk.workbook.listFeedCells(scope));
}

function ask(desk: Desk, scope: Scope, cells: readonly FeedCell[]): void {
  const { tell, texts } = desk;
  const { nothingToFreeze, askToFreeze, freezeNow } = texts.ofCommands;
  if (cells.length === 0) {
    tell({ intent: "info", text: nothingToFreeze[scope] });
    return;
  }
  const act = () => void freezeNowOrAskAgain(desk, scope, cells);
  tell({
    intent: "warning",
    text: askToFreeze[scope](cells.length),
    actions: [{ label: freezeNow(cells.length), act }],
  });
}

/** What is selected now may not be what was asked about. */
async function freezeNowOrAskAgain(desk: Desk, scope: Scope, asked: readonly FeedCell[]): Promise<void> {
  const { workbook, tell, texts } = desk;
  try {
    const cells = await workbook.listFeedCells(scope);
    if (!isSame(cells, asked)) {
      ask(desk, scope, cells);
      return;
    }
    tell({ intent: "info", text: texts.ofCommands.freezing(cells.length) });
    const { formulas, left } = await workbook.freeze(scope);
    tell({ intent: left.length === 0 ? "success" : "warning", text: toOutcome(desk, formulas, left) });
  } catch (error) {
    tell({ intent: "error", text: toFaultText(error, texts) });
  }
}

const isSame = (some: readonly FeedCell[], others: readonly FeedCell[]) =>
  some.length === others.length &&
  some.every((cell, index) => showPlace(cell) === showPlace(others[index] as FeedCell));

function toOutcome({ texts }: Desk, formulas: number, left: readonly FeedCell[]): string {
  const frozen = texts.ofCommands.frozen(formulas);
  if (left.length === 0) return frozen;
  const places = left.slice(0, PLACES_NAMED).map(showPlace).join(", ");
  return `${frozen} ${texts.ofCommands.leftUnfrozen(left.length, places, left.length > PLACES_NAMED)}`;
}
