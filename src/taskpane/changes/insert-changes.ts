import { useState } from "react";
import type { CellContent } from "../../contract/workbook";
import { addListSheet } from "../list-sheet";
import { attempt, usePane } from "../pane";
import { finishInSlices, mapInSteps } from "../slices";
import type { Texts } from "../texts";
import type { ChangedCell, SheetChanges } from "./changed-cells";
import { toShownValue } from "./shown-values";

/** Returns a function that makes a sheet of changes, one at a time. */
export function useInsertChanges() {
  const pane = usePane();
  const [isInserting, setInserting] = useState(false);
  const insert = async (sheets: readonly SheetChanges[], time: string) => {
    if (isInserting || sheets.length === 0) return;
    setInserting(true);
    await attempt(pane, async ({ session, workbook, notify, texts }) => {
      try {
        const cells = sheets.flatMap(({ rows }) => rows.flat());
        const words = { texts, dateSystem: session.settings.dateSystem };
        const rows = await finishInSlices(mapInSteps(cells, (cell) => toRow(cell, words)));
        const sheet = await addListSheet(workbook, toSheet(cells, time, texts), rows);
        notify({ intent: "success", text: texts.ofChanges.inserted(sheet) });
      } finally {
        setInserting(false);
      }
    });
  };
  return { isInserting, insert };
}

interface Words {
  texts: Texts;
  dateSystem: 1900 | 1904;
}

const WIDTHS = [18, 9, 14, 38, 8, 28, 18, 18, 10, 12];

/** @param time when the refresh began */
function toSheet(cells: readonly ChangedCell[], time: string, { ofChanges }: Texts) {
  const { title, headings, ...words } = ofChanges.sheet;
  const isWhole = cells.every(({ change }) => [change.before, change.after].every(isNoFraction));
  return {
    name: words.name(time.replaceAll(":", ".")),
    title,
    note: words.hint(cells.length, time),
    headings,
    widths: WIDTHS,
    numbers: "G:I", // the values before and now, and their ratio
    formats: { "G:H": isWhole ? "#,##0" : "#,##0.00", I: "+0.0%;-0.0%;0.0%" },
  };
}

const isNoFraction = (value: unknown): boolean => typeof value !== "number" || Number.isInteger(value);

function toRow(cell: ChangedCell, { texts, dateSystem }: Words): CellContent[] {
  const { change, kind, place, anchor, what, year, metric, ratio } = cell;
  const { call, before, after, format } = change;
  const at = place ?? anchor;
  const toContent = (value: unknown) => {
    if (value === null || value === "") return null;
    return typeof value === "number" && format === null ? value : toShownValue(value, format, texts, dateSystem);
  };
  return [
    at?.sheet ?? null,
    at?.address ?? null,
    call.name,
    what,
    year,
    metric,
    toContent(before),
    toContent(after),
    ratio,
    texts.ofChanges.kinds[kind],
  ];
}
