import { helpers, registries, UIPlugin } from "@odoo/o-spreadsheet";

type ExcelData = Parameters<UIPlugin["exportForExcel"]>[0];
type ExcelSheet = ExcelData["sheets"][number];

/** Completes what the engine gives to its writer of .xlsx. */
class ExportPlugin extends UIPlugin {
  override exportForExcel(data: ExcelData) {
    for (const sheet of data.sheets) {
      this.#addShownFormats(data, sheet);
      trim(sheet);
    }
  }

  /** A number's format may come with its value; Excel without the add-in needs it in the cell. */
  #addShownFormats({ formats }: ExcelData, sheet: ExcelSheet) {
    const ids = new Map(Object.entries(formats).map(([id, format]) => [format, Number(id)]));
    const own = Object.keys(sheet.formats).map(helpers.toZone);
    for (const position of this.getters.getEvaluatedCellsPositions(sheet.id)) {
      const { format } = this.getters.getEvaluatedCell(position);
      if (format === undefined || own.some((zone) => helpers.isInside(position.col, position.row, zone))) continue;
      const id = ids.get(format) ?? Math.max(0, ...ids.values()) + 1;
      ids.set(format, id);
      formats[id] = format;
      sheet.formats[helpers.toXC(position.col, position.row)] = id;
    }
  }
}
registries.featurePluginRegistry.add("playground_export", ExportPlugin);

/** Cuts a sheet's empty end off, which the writer would visit cell by cell. */
function trim(sheet: ExcelSheet) {
  const cells = Object.keys(sheet.cellValues).concat(Object.keys(sheet.cells));
  const ranges = [sheet.styles, sheet.formats, sheet.borders].flatMap((each) => Object.keys(each));
  let [cols, rows] = [1, 1];
  for (const xc of cells.concat(ranges)) {
    const { right, bottom } = helpers.toZone(xc);
    [cols, rows] = [Math.max(cols, right + 1), Math.max(rows, bottom + 1)];
  }
  sheet.colNumber = Math.min(sheet.colNumber, cols);
  sheet.rowNumber = Math.min(sheet.rowNumber, rows);
}
