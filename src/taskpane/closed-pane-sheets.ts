import type { Session } from "../session/session";
import { findPlaygroundWorkbook } from "./host";
import { watchSheets } from "./sheet-watch";
import { listFeedCells } from "./workbook/feed-cells";
import { listSheets, readSheets, watchEdits } from "./workbook/reading";

/** Follows the made sheets while the pane is closed: it needs the readers of the workbook, and no more of the adapter. */
export function watchUnseen(session: Session): void {
  const reader = { listSheets, readSheets, listFeedCells, onEdit: watchEdits };
  watchSheets({ session, workbook: findPlaygroundWorkbook() ?? reader });
}
