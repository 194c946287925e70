import type { Place, WorkbookError } from "../../contract/workbook";
import type { PaneContext } from "../../taskpane/pane";
import { toCheckTexts } from "./wording";

/** Selects a place; where its sheet cannot be shown, as a hidden one, it says what to do. Gives whether it is selected. */
export async function goTo(
  { workbook, notify, texts }: Pick<PaneContext, "workbook" | "notify" | "texts">,
  place: Place,
): Promise<boolean> {
  try {
    await workbook.show(place);
    return true;
  } catch (error) {
    if ((error as Partial<WorkbookError>).fault !== "refused") throw error;
    notify({ intent: "info", text: toCheckTexts(texts).hidden(place.sheet) });
    return false;
  }
}
