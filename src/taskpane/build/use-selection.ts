import { useCallback, useEffect, useState } from "react";
import type { Selection } from "../../contract/workbook";
import { usePane } from "../pane";

/** What is selected, as long as the workbook tells; null before that. `look` sees what has been written since. */
export function useSelection(): { selection: Selection | null; look: () => void } {
  const { workbook } = usePane();
  const [selection, setSelection] = useState<Selection | null>(null);
  const [looks, setLooks] = useState(0);
  const look = useCallback(() => setLooks((before) => before + 1), []);
  useEffect(() => workbook.onSelection(look), [workbook, look]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each look reads anew
  useEffect(() => {
    let isLatest = true;
    const receive = (read: Selection) => isLatest && setSelection(read);
    // A cell that is being edited is selected still; what keeps a person from writing is said when she does.
    workbook.readSelection().then(receive, () => {});
    return () => {
      isLatest = false;
    };
  }, [workbook, looks]);
  return { selection, look };
}
