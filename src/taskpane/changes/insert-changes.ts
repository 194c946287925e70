import { useRef, useState } from "react";
import type { CellContent, SheetPlan } from "../../contract/workbook";
import { toLetters } from "../addresses";
import { attempt } from "../commands/desk";
import { usePane } from "../pane";
import { finishInSlices, mapInSteps, type Steps } from "../slices";
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
        const { plan, rows, at } = await finishInSlices(toChangeReport(cells, time, words));
        const sheet = await workbook.addSheet(plan);
        await workbook.write({ at: { sheet, address: at }, cells: rows });
        notify({ intent: "success", text: texts.ofChanges.inserted(sheet) });
      } finally {
        isBusy.current = false;
        setInserting(false);
      }
    });
  };
  return { isInserting, insert };
}

/** A sheet that lists changes: its head, and its rows, too many to plan cell by cell. */
interface ChangeReport {
  plan: SheetPlan;
  rows: CellContent[][];
  /** Address of the first row. */
  at: string;
}

interface Words {
  texts: Texts;
  dateSystem: 1900 | 1904;
}

const HEADING_ROW = 4;
const WIDTHS = [18, 9, 14, 38, 8, 28, 18, 18, 10, 12];

/** The columns of the values before and now, and of their ratio. */
const [BEFORE, NOW, RATIO] = ["G", "H", "I"];

/**
 * Plans the sheet, a row a step.
 *
 * @param time when the refresh began
 */
function* toChangeReport(cells: readonly ChangedCell[], time: string, words: Words): Steps<ChangeReport> {
  const { sheet } = words.texts.ofChanges;
  const last = toLetters(sheet.headings.length - 1);
  const end = HEADING_ROW + cells.length;
  const isWhole = cells.every(({ change }) => [change.before, change.after].every(isNoFraction));
  return {
    plan: {
      name: sheet.name(time.replaceAll(":", ".")),
      cells: [
        { at: "A1", content: sheet.title },
        { at: "A2", content: sheet.hint(cells.length, time) },
        ...sheet.headings.map((content, index) => ({ at: `${toLetters(index)}${HEADING_ROW}`, content })),
      ],
      styles: [
        { range: "A1", style: "title" },
        { range: "A2", style: "note" },
        { range: `A${HEADING_ROW}:${last}${HEADING_ROW}`, style: "heading" },
        { range: `${BEFORE}${HEADING_ROW}:${RATIO}${HEADING_ROW}`, style: "numberHeading" },
      ],
      formats: [
        { range: `${BEFORE}${HEADING_ROW + 1}:${NOW}${end}`, format: isWhole ? "#,##0" : "#,##0.00" },
        { range: `${RATIO}${HEADING_ROW + 1}:${RATIO}${end}`, format: "+0.0%;-0.0%;0.0%" },
      ],
      widths: Object.fromEntries(WIDTHS.map((width, index) => [toLetters(index), width])),
      grouped: [],
      rules: [],
      frozenRows: HEADING_ROW,
      printed: `A1:${last}${end}`,
      selected: `A${HEADING_ROW + 1}`,
    },
    rows: yield* mapInSteps(cells, (cell) => toRow(cell, words)),
    at: `A${HEADING_ROW + 1}`,
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
