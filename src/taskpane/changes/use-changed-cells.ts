import { useCallback, useEffect, useState } from "react";
import type { ChangesSnapshot } from "../activity/snapshot";
import { type FormulaCells, findFormulaCells } from "../cells";
import { createNames } from "../company-search";
import { usePane } from "../pane";
import { useSlices } from "../use-slices";
import { type ChangedCells, toChangedCells } from "./changed-cells";

const NONE: ChangedCells = { sheets: [], count: 0, kinds: { changed: 0, appeared: 0, vanished: 0 } };

/** The changed cells of the workbook, null until their places are known; `look` finds those again. */
export function useChangedCells(changes: ChangesSnapshot): { cells: ChangedCells | null; look: () => void } {
  const { session, texts } = usePane();
  const { list, isRunning, sinceMs } = changes;
  const { anchors, look } = useAnchors(sinceMs, !isRunning && list.length > 0);
  const listCells = useCallback(
    () => toChangedCells(list, anchors ?? new Map(), createNames(session, texts)),
    [list, anchors, session, texts],
  );
  const cells = useSlices(anchors === null ? null : listCells);
  return { cells: list.length === 0 ? NONE : cells, look };
}

/** The cells that hold the live formulas; read once per refresh, since values still arrive for a while after it. */
function useAnchors(sinceMs: number | null, isWanted: boolean): { anchors: FormulaCells | null; look: () => void } {
  const { session, workbook } = usePane();
  const [found, setFound] = useState<{ sinceMs: number | null; anchors: FormulaCells } | null>(null);
  const [looks, setLooks] = useState(0);
  const look = useCallback(() => setLooks((before) => before + 1), []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each look reads anew
  useEffect(() => {
    if (!isWanted) return;
    let isLatest = true;
    void findFormulaCells(workbook, session.calls.list()).then((anchors) => isLatest && setFound({ sinceMs, anchors }));
    return () => {
      isLatest = false;
    };
  }, [session, workbook, sinceMs, isWanted, looks]);
  return { anchors: found !== null && found.sinceMs === sinceMs ? found.anchors : null, look };
}
