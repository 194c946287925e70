import { type CoreCommand, helpers, type Model, type Zone } from "@odoo/o-spreadsheet";
import type { ChartPlan, RuleStyle, SheetPlan } from "../../contract/workbook";
import { dispatchAll, ROW_PX, SHEET_SIZE, toWidthPx } from "../workbook";
import { toPrintName } from "../xlsx/reading";
import { findSheet, toEntry } from "./cells";

const LONGEST_NAME = 31;
const NOT_IN_NAMES = /[\\/?*[\]:']/g;

/** Adds a sheet as one step to undo, shows it and gives its name. */
export function addSheet(model: Model, plan: SheetPlan): string {
  const { getters } = model;
  const [sheetId, name] = [model.uuidGenerator.smallUuid(), pickName(model, plan.name)];
  const position = getters.getSheetIds().indexOf(getters.getActiveSheetId()) + 1;
  dispatchAll(model, [
    { type: "CREATE_SHEET", sheetId, name, position, ...SHEET_SIZE },
    ...listCells(model, sheetId, plan),
    ...listLooks(sheetId, plan),
    ...listRules(model, sheetId, plan.rules),
    { type: "CREATE_NAMED_RANGE", name: toPrintName(name), ranges: [toRange(sheetId, plan.printed)] },
    ...(plan.chart ? [createChart(model, sheetId, plan.chart, plan.widths)] : []),
  ]);
  model.dispatch("ACTIVATE_SHEET", { sheetIdFrom: getters.getActiveSheetId(), sheetIdTo: sheetId });
  const { col, row } = helpers.toCartesian(plan.selected);
  model.selection.selectCell(col, row);
  return name;
}

/** A valid sheet name, with a number where another sheet has it. */
function pickName({ getters }: Model, wanted: string): string {
  const name = wanted.replace(NOT_IN_NAMES, "").trim() || "Sheet";
  const taken = new Set(getters.getSheetIds().map((sheetId) => getters.getSheetName(sheetId).toLowerCase()));
  for (let number = 1; ; number++) {
    const suffix = number === 1 ? "" : ` ${number}`;
    const candidate = name.slice(0, LONGEST_NAME - suffix.length).trim() + suffix;
    if (!taken.has(candidate.toLowerCase())) return candidate;
  }
}

function listCells(model: Model, sheetId: string, { cells, formats }: SheetPlan): CoreCommand[] {
  return cells.flatMap(({ at, content }) => {
    if (content === null) return [];
    const isText = typeof content === "string" && formats.some(({ range, format }) => range === at && format === "@");
    const entry = isText ? { content, format: "@" } : { content: toEntry(model, content) };
    return [{ type: "UPDATE_CELL", sheetId, ...helpers.toCartesian(at), ...entry }];
  });
}

function listLooks(sheetId: string, { styles, formats, widths, grouped, frozenRows }: SheetPlan): CoreCommand[] {
  return [
    ...styles.map(({ range, style }): CoreCommand => {
      return { type: "SET_FORMATTING", sheetId, target: [toZone(range)], style: LOOKS[style] };
    }),
    ...formats.map(({ range, format }): CoreCommand => {
      return { type: "SET_FORMATTING", sheetId, target: [toZone(range)], format };
    }),
    ...Object.entries(widths).map(([letters, characters]): CoreCommand => {
      const elements = [helpers.lettersToNumber(letters)];
      return { type: "RESIZE_COLUMNS_ROWS", sheetId, dimension: "COL", elements, size: toWidthPx(characters) };
    }),
    ...grouped.map((letters): CoreCommand => {
      const column = helpers.lettersToNumber(letters);
      return { type: "GROUP_HEADERS", sheetId, dimension: "COL", start: column, end: column };
    }),
    ...(frozenRows > 0 ? [{ type: "FREEZE_ROWS", sheetId, quantity: frozenRows } as const] : []),
  ];
}

function listRules(model: Model, sheetId: string, rules: SheetPlan["rules"]) {
  return Array.from(rules, ({ range, formula, style }) => {
    const [id, values, look] = [model.uuidGenerator.smallUuid(), [formula], RULE_LOOKS[style]];
    const cf = { id, rule: { type: "CellIsRule", operator: "customFormula", values, style: look } } as const;
    const ranges = [toRange(sheetId, range)];
    return { type: "ADD_CONDITIONAL_FORMAT", sheetId, ranges, cf } as const;
  });
}

/** Adds rules to a sheet, and gives what removes them, each as one step to undo. */
export function addRules(model: Model, sheet: string, rules: SheetPlan["rules"]): () => Promise<void> {
  const sheetId = findSheet(model, sheet);
  const added = listRules(model, sheetId, rules);
  dispatchAll(model, added);
  const removals = added.map(({ cf }) => ({ type: "REMOVE_CONDITIONAL_FORMAT", sheetId, id: cf.id }) as const);
  return async () => dispatchAll(model, removals);
}

/** The engine's conditional formats have no borders. */
const RULE_LOOKS = {
  part: { bold: true, fillColor: "#DCE9F5", textColor: "#12324D" },
  subtotal: { bold: true, fillColor: "#F3F5F7" },
  missing: { textColor: "#7A828E" },
  up: { textColor: "#0B6A3B" },
  down: { textColor: "#B42318" },
  fresh: { textColor: "#1F3FBF" },
  hot: { fillColor: "#F2A65A", textColor: "#3B1F00" },
  warm: { fillColor: "#FBE3C6", textColor: "#3B1F00" },
  cool: { fillColor: "#DCE9F5", textColor: "#12324D" },
  cold: { fillColor: "#A9CBE8", textColor: "#12324D" },
} as const satisfies Record<RuleStyle, object>;

/** The zone of a range within the sheet. */
function toZone(range: string): Zone {
  const { left, top, right = SHEET_SIZE.cols - 1, bottom = SHEET_SIZE.rows - 1 } = helpers.toUnboundedZone(range);
  return { left, top, right: Math.min(right, SHEET_SIZE.cols - 1), bottom: Math.min(bottom, SHEET_SIZE.rows - 1) };
}

const toRange = (sheetId: string, range: string) => ({ _sheetId: sheetId, _zone: toZone(range) });

function createChart(
  model: Model,
  sheetId: string,
  { title, categories, values, at }: ChartPlan,
  widths: SheetPlan["widths"],
): CoreCommand {
  const { left: col, top: row, right, bottom } = toZone(at);
  const columns = Array.from({ length: right - col + 1 }, (_, index) => helpers.numberToLetters(col + index));
  const width = columns.reduce((sum, letters) => sum + toWidthPx(widths[letters]), 0);
  return {
    type: "CREATE_CHART",
    sheetId,
    chartId: model.uuidGenerator.smallUuid(),
    figureId: model.uuidGenerator.smallUuid(),
    col,
    row,
    offset: { x: 0, y: 0 },
    size: { width, height: (bottom - row + 1) * ROW_PX },
    definition: {
      type: "bar",
      horizontal: true,
      stacked: false,
      title: { text: title, bold: true },
      dataSource: {
        type: "range",
        dataSets: [{ dataSetId: "values", dataRange: values }],
        dataSetsHaveTitle: false,
        labelRange: categories,
      },
      dataSetStyles: { values: { backgroundColor: "#1F4E79" } },
      legendPosition: "none",
      humanize: true,
    },
  };
}

/** The styles of the playground's own sheets and of the pane's. */
export const LOOKS = {
  title: { bold: true, fontSize: 16 },
  note: { textColor: "#7A828E", fontSize: 9 },
  label: { bold: true },
  input: { fillColor: "#FFF7DB", textColor: "#1F3FBF", align: "left" },
  heading: { bold: true, fillColor: "#1F4E79", textColor: "#FFFFFF" },
  numberHeading: { bold: true, fillColor: "#1F4E79", textColor: "#FFFFFF", align: "right" },
  section: { bold: true, fillColor: "#DCE9F5", textColor: "#12324D" },
} as const;
