import { Link } from "@fluentui/react-components";
import { useEffect, useState } from "react";
import { type CellChange, toCellChanges } from "../../cell-changes";
import type { FormulaCells } from "../../cells/formula-cells";
import { runInSlices } from "../../slices";
import type { Desk } from "../desk";

/** Cells receive their values gradually. */
const LOOK_AGAIN_MS = 500;

interface ChangedProps extends Pick<Desk, "session" | "texts" | "open"> {
  /** The cells of each formula: a change shows in all of them. */
  cells: FormulaCells;
}

/** The number of cells that the ended refresh changed, with a link to them. */
export function Changed({ session, texts, open, cells }: ChangedProps) {
  const count = useChanged(session, cells);
  const { changed, whatChanged } = texts.ofRefresh;
  if (count === null) return null;
  return (
    <>
      {" "}
      <span>{changed(count)}</span>
      {count > 0 && (
        <>
          {" "}
          <Link as="button" onClick={() => open("changes")}>
            {whatChanged}
          </Link>
        </>
      )}
    </>
  );
}

/** Counts until another refresh begins or the changes are undone; null before the first count. */
function useChanged({ changes, calls, ports }: Desk["session"], cells: FormulaCells): number | null {
  const [count, setCount] = useState<number | null>(null);
  useEffect(() => {
    let callOff: (() => void) | null = null;
    let endCounting = () => {};
    const look = () => {
      callOff = null;
      endCounting();
      endCounting = runInSlices(toCellChanges(changes.each()), (changed) => setCount(countCells(changed, cells)));
    };
    const stopCalls = calls.onChange(() => {
      callOff ??= ports.after(LOOK_AGAIN_MS, look);
    });
    const stop = () => {
      stopCalls();
      stopChanges();
      callOff?.();
      endCounting();
    };
    const stopChanges = changes.onChange(stop);
    look();
    return stop;
  }, [changes, calls, ports, cells]);
  return count;
}

const countCells = (changed: readonly CellChange[], cells: FormulaCells): number =>
  changed.reduce((count, { call }) => count + (cells.get(call)?.length ?? 1), 0);
