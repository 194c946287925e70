import type { Selection } from "../../contract/workbook";
import { isTouching, readArea, readPlace } from "../addresses";
import { learn } from "../separators";
import { inExcel } from "./excel-run";
import { readShownFormula } from "./feed-cells";

/** Reads what is selected; of several areas, the one with the active cell. Its formula tells the person's separators. */
export function readSelection(): Promise<Selection> {
  return inExcel(async (context) => {
    const { workbook } = context;
    const active = workbook.getActiveCell();
    active.load("address, formulas, formulasLocal, values");
    workbook.application.load("decimalSeparator");
    const anchor = active.getSpillParentOrNullObject();
    anchor.load("address");
    const { areas } = workbook.getSelectedRanges();
    areas.load("items/address");
    await context.sync();
    learn(active.formulas[0]?.[0], active.formulasLocal[0]?.[0], workbook.application.decimalSeparator);
    const cell = readPlace(active.address);
    const places = areas.items.map(({ address }) => readPlace(address));
    const selected = places.find(({ address }) => isTouching(readArea(address), readArea(cell.address))) ?? cell;
    const isSpilledInto = !anchor.isNullObject && anchor.address !== active.address;
    const formula = isSpilledInto ? null : readShownFormula(active.formulas[0]?.[0], active.values[0]?.[0]);
    return { ...selected, cell: cell.address, formula: formula ?? "" };
  });
}
