import type { CellValue } from "../../contract/workbook";
import { readStored, tryToStore } from "../../taskpane/file-store";
import type { Replaced } from "./undo";

/** One name for all of them, beside the settings: other add-ins share the place. */
const STORED_AS = "feed-adopted";

/** Excel stores 2 MB of an add-in in a workbook; the oldest blocks give way. */
const MOST_CELLS = 5_000;

/** A replaced block as it is stored: of each cell its address, number, format and meaning. */
interface Stored {
  place: string;
  sheet: string;
  sheetId: string | null;
  cells: readonly (readonly [address: string, value: CellValue, format: string, meaning: string])[];
}

/** Reads the replaced blocks that the workbook stores, the latest first; an invalid one is ignored. */
export function readAdoptions(): Replaced[] {
  const stored = readStored(STORED_AS);
  const blocks = Array.isArray(stored) ? stored.filter(isStored) : [];
  return blocks.map(({ place, cells, ...sheet }, index) => ({
    id: blocks.length - index,
    place,
    isStored: true,
    adoption: {
      ...sheet,
      cells: cells.map(([address, value, format, meaning]) => ({
        address,
        typed: { value, formula: "", format },
        meaning,
      })),
    },
  }));
}

/** Stores replaced blocks in the workbook, the latest first, and tells which are; it reaches the file with the next save. */
export function storeAdoptions(blocks: readonly Replaced[]): Replaced[] {
  let cells = 0;
  const told = blocks.map((block) => {
    cells += block.adoption.cells.length;
    return { ...block, isStored: cells <= MOST_CELLS };
  });
  // Without storage, blocks can be undone while the page lives.
  tryToStore([STORED_AS, () => told.filter(({ isStored }) => isStored).map(toStored)]);
  return told;
}

const toStored = ({ place, adoption: { sheet, sheetId, cells } }: Replaced): Stored => ({
  place,
  sheet,
  sheetId,
  cells: cells.map(({ address, typed, meaning }) => [address, typed.value, typed.format, meaning]),
});

function isStored(block: unknown): block is Stored {
  const { place, sheet, sheetId, cells } = Object(block) as Partial<Record<keyof Stored, unknown>>;
  const isText = (value: unknown) => typeof value === "string";
  return (
    isText(place) &&
    isText(sheet) &&
    (sheetId === null || isText(sheetId)) &&
    Array.isArray(cells) &&
    cells.every((cell) => Array.isArray(cell) && [0, 2, 3].every((at) => isText(cell[at])))
  );
}
