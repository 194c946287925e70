import { useRef, useState } from "react";
import type { CellContent, SheetPlan } from "../../contract/workbook";
import { FIRST_ROW, toListSheet } from "../list-sheet";
import { attempt, usePane } from "../pane";
import { finishInSlices, mapInSteps } from "../slices";
import type { Texts } from "../texts";
import type { ChangedCell, SheetChanges } from "./changed-cells";
import { toShownValue } from "./shown-values";

/** Returns a function that makes a sheet of changes, one at a time. */
export function useInsertChanges() {
  const pane = usePane();
  const [isInserting, setInserting] = useState(false);
  const isBusy = useRef(false); // set at once; the state changes only with the next rendering
  const insert = async (sheets: readonly SheetChanges[], time: string) => {
    if (isBusy.current || sheets.length === 0) return;
    isBusy.current = true;
    setInserting(true);
    await attempt(pane, async ({ session, workbook, notify, texts }) => {
      try {
        const cells = sheets.flatMap((group) => group.cells);
        const words = { texts, dateSystem: session.settings.dateSystem };
        const rows = await finishInSlices(mapInSteps(cells, (cell) => toRow(cell, words)));
        const sheet = await workbook.addSheet(toPlan(cells, time, texts));
        await workbook.write({ at: { sheet, address: `A${FIRST_ROW}` }, cells: rows });
        notify({ intent: "success", text: texts.ofChanges.inserted(sheet) });
      } finally {
        isBusy.current = false;
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

/** The columns of the values before and now, and of their ratio. */
const [BEFORE, NOW, RATIO] = ["G", "H", "I"];

/** @param time when the refresh began */
function toPlan(cells: readonly ChangedCell[], time: string, { ofChanges }: Texts): SheetPlan {
  const { title, headings, ...words } = ofChanges.sheet;
  const isWhole = cells.every(({ change }) => [change.before, change.after].every(isNoFraction));
  const [heading, end] = [FIRST_ROW - 1, FIRST_ROW - 1 + cells.length];
  const name = words.name(time.replaceAll(":", "."));
  const plan = toListSheet(
    { name, title, note: words.hint(cells.length, time), headings, widths: WIDTHS },
    cells.length,
  );
  return {
    ...plan,
    styles: [...plan.styles, { range: `${BEFORE}${heading}:${RATIO}${heading}`, style: "numberHeading" }],
    formats: [
      { range: `${BEFORE}${FIRST_ROW}:${NOW}${end}`, format: isWhole ? "#,##0" : "#,##0.00" },
      { range: `${RATIO}${FIRST_ROW}:${RATIO}${end}`, format: "+0.0%;-0.0%;0.0%" },
    ],
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
