import { namePlaces } from "../addresses";
import type { CellNotes as Notes } from "../cells";
import { Hint } from "../layout";
import { usePane } from "../pane";

/** Names the cells that hold a dead copy of a formula, or a part of a table, with what to do. */
export function CellNotes({ notes: { dead, cut } }: { notes: Pick<Notes, "dead" | "cut"> }) {
  const { deadCopies, cutTables } = usePane().texts.ofCommands;
  return (
    <>
      {dead.length > 0 && <Hint block>{deadCopies(dead.length, ...namePlaces(dead))}</Hint>}
      {cut.length > 0 && <Hint block>{cutTables(cut.length, ...namePlaces(cut))}</Hint>}
    </>
  );
}
