import { helpers } from "@odoo/o-spreadsheet";
import { LOOKS } from "./pane-workbook/sheet-plans";
import { SHEET_SIZE } from "./workbook";

const STYLE = { title: 1, heading: 2, section: 3, total: 4, muted: 5, input: 6, number: 7 } as const;
const STYLES = {
  [STYLE.title]: LOOKS.title,
  [STYLE.heading]: LOOKS.heading,
  [STYLE.number]: LOOKS.numberHeading,
  [STYLE.section]: LOOKS.section,
  [STYLE.total]: LOOKS.label,
  [STYLE.muted]: LOOKS.note,
  [STYLE.input]: LOOKS.input,
};
const FORMAT = { number: 1, percent: 2, plain: 3, date: 4, minutes: 5 } as const;
const FORMATS = {
  [FORMAT.number]: "#,##0",
  [FORMAT.percent]: "0.0%",
  [FORMAT.plain]: "0",
  [FORMAT.date]: "yyyy-mm-dd",
  [FORMAT.minutes]: "#,##0.00",
};
const BORDERS = { 1: { top: { style: "thin", color: "#7A828E" } } };

type Cells = Record<string, string>;

/** Makes the workbook that the page opens on sample data: a small financial model and a ranking. */
export function createSampleWorkbook(): object {
  const empty = helpers.createEmptyWorkbookData();
  return {
    ...empty,
    settings: { ...empty.settings, disableCellAnimations: true },
    styles: STYLES,
    formats: FORMATS,
    borders: BORDERS,
    sheets: [createModelSheet(), createRankingSheet()],
  };
}

function createModelSheet() {
  const metrics = ["Revenue", ...Object.keys(RATIO_OF)];
  const blocks = metrics.map((metric, index) => ({ metric, row: REVENUE_ROW + index * BLOCK_ROWS }));
  const cells: Cells = {
    A1: "Financial model",
    A2: "Unit of the figures",
    B2: "m",
    C2: '="Figures in "&B3&" "&B2',
    A3: "Currency",
    B3: `=FEED.FINANCIAL(B${REVENUE_ROW + 1},${YEARS.at(-1)},"currency")`,
    A4: "Company",
    B4: "Company id",
    H4: "CAGR",
    J1: "Scratch",
    ...Object.fromEntries(YEARS.map((year, index) => [`${YEAR_COLUMNS[index]}${HEADER_ROW}`, String(year)])),
    ...Object.assign({}, ...blocks.map(({ metric, row }) => createBlock(metric, row))),
  };
  return {
    ...helpers.createEmptySheet("model", "Model"),
    colNumber: SHEET_SIZE.cols,
    rowNumber: SHEET_SIZE.rows,
    cells,
    ...formatModel(blocks.map(({ row }) => row)),
    cols: { 0: { size: 200 }, 1: { size: 120 }, ...sizes([2, 3, 4, 5, 6], 88), 7: { size: 72 }, 8: { size: 24 } },
    rows: { 0: { size: 32 } },
    panes: { xSplit: 1, ySplit: HEADER_ROW },
    figures: createModelFigures(),
    areGridLinesVisible: false,
  };
}

/** Revenue and gross profit are one formula each that spills the grid; the others have a formula in every cell. */
function createBlock(metric: string, row: number): Cells {
  const first = row + 1;
  const total = first + COMPANIES.length;
  const cells: Cells = { [`A${row}`]: metric, [`A${total}`]: "Total", [`A${total + 1}`]: RATIO_OF[metric] ?? "Growth" };
  COMPANIES.forEach(({ id, name }, index) => {
    const isFirstBlock = row === REVENUE_ROW;
    cells[`A${first + index}`] = isFirstBlock ? name : `=A${REVENUE_ROW + 1 + index}`;
    cells[`B${first + index}`] = isFirstBlock ? id : `=B${REVENUE_ROW + 1 + index}`;
    if (isFirstBlock) cells[`H${first + index}`] = `=(G${first + index}/C${first + index})^(1/4)-1`;
  });
  const isGrid = row < REVENUE_ROW + 2 * BLOCK_ROWS;
  if (isGrid)
    cells[`C${first}`] = `=FEED.FINANCIAL(B${first}:B${total - 1},C${HEADER_ROW}:G${HEADER_ROW},"${metric}",,$B$2)`;
  YEAR_COLUMNS.forEach((column, index) => {
    cells[`${column}${total}`] = `=SUM(${column}${first}:${column}${total - 1})`;
    Object.assign(cells, createRatio(column, YEAR_COLUMNS[index - 1], metric, total));
    for (let line = first; line < total && !isGrid; line++) {
      cells[`${column}${line}`] = `=FEED.FINANCIAL($B${line},${column}$${HEADER_ROW},"${metric}",,$B$2)`;
    }
  });
  return cells;
}

/** Revenue has its growth over the year before, every other metric its share of revenue. */
function createRatio(column: string, before: string | undefined, metric: string, total: number): Cells {
  const revenueTotal = REVENUE_ROW + 1 + COMPANIES.length;
  if (metric in RATIO_OF) return { [`${column}${total + 1}`]: `=${column}${total}/${column}${revenueTotal}` };
  return before ? { [`${column}${total + 1}`]: `=${column}${total}/${before}${total}-1` } : {};
}

function formatModel(blockRows: number[]) {
  const styles: Record<string, number> = {
    A1: STYLE.title,
    "A2:A3": STYLE.muted,
    J1: STYLE.muted,
    B2: STYLE.input,
    "C2:G2": STYLE.muted,
    "A4:B4": STYLE.heading,
    "C4:H4": STYLE.number,
  };
  const formats: Record<string, number> = { "C4:G4": FORMAT.plain, "H6:H10": FORMAT.percent };
  const borders: Record<string, number> = {};
  for (const row of blockRows) {
    const total = row + 1 + COMPANIES.length;
    styles[`A${row}:H${row}`] = STYLE.section;
    styles[`B${row + 1}:B${total - 1}`] = STYLE.muted;
    styles[`A${total}:H${total}`] = STYLE.total;
    borders[`A${total}:H${total}`] = 1;
    formats[`C${row + 1}:G${total}`] = FORMAT.number;
    formats[`C${total + 1}:G${total + 1}`] = FORMAT.percent;
    styles[`A${total + 1}:H${total + 1}`] = STYLE.muted;
  }
  return { styles, formats, borders };
}

function createRankingSheet() {
  return {
    ...helpers.createEmptySheet("ranking", "Ranking"),
    colNumber: SHEET_SIZE.cols,
    rowNumber: SHEET_SIZE.rows,
    cells: {
      A1: "Start",
      B1: "2024-01-01",
      A2: "End",
      B2: "2024-01-31",
      A3: "Top",
      B3: "25",
      A5: "=FEED.RANKING(B1,B2,B3)",
    },
    styles: { "A1:A3": STYLE.total, "B1:B3": STYLE.input, "A5:D5": STYLE.heading, "E5:I5": STYLE.number },
    formats: { "B1:B2": FORMAT.date, "E6:F5000": FORMAT.number, "G6:I5000": FORMAT.minutes },
    cols: {
      0: { size: 72 },
      1: { size: 290 },
      2: { size: 80 },
      3: { size: 130 },
      ...sizes([4, 5], 130),
      ...sizes([6, 7, 8], 160),
    },
    panes: { xSplit: 0, ySplit: 5 },
  };
}

function sizes(columns: number[], size: number) {
  return Object.fromEntries(columns.map((column) => [column, { size }]));
}

/** Five companies of the sample provider; its ids are stable. */
export const COMPANIES = [
  { id: "3d1ce6e7-7fd1-463c-ab13-8646d111213d", name: "株式会社さくら食品" },
  { id: "91c6b211-c4b4-490a-a1f2-3fcde0a6f08f", name: "Yuzuriha Energy Corporation" },
  { id: "bca112fc-4390-457f-887d-2e836eaf9ed3", name: "Komorebi Education Inc." },
  { id: "559712a9-dd12-4174-a42b-ada188ab2737", name: "Tamayura Chemicals Co., Ltd." },
  { id: "5f7409c9-c87b-426b-985e-bb153cbcb8bd", name: "株式会社高月自動車" },
];
const YEARS = [2020, 2021, 2022, 2023, 2024];
const YEAR_COLUMNS = ["C", "D", "E", "F", "G"];
const RATIO_OF: Record<string, string> = {
  "Gross Profit": "Gross margin",
  EBIT: "EBIT margin",
  "Net Income": "Net margin",
};

const HEADER_ROW = 4;
/** A heading, the companies, a total and a ratio. */
const BLOCK_ROWS = COMPANIES.length + 3;
const REVENUE_ROW = HEADER_ROW + 1;

/** A free cell above the figures, for the pane's first insert. */
export const SCRATCH_CELL = "J2";

const CARD = { width: 220, height: 140, gap: 12 };
const LEFT_COLUMN = 9;

/** Creates the figures beside the model: the last year's totals, and revenue by year. */
function createModelFigures(): object[] {
  return [...createScorecards(), createRevenueChart()];
}

/** The engine's own scorecards: each total with its change against the year before. */
function createScorecards() {
  return ["Revenue", ...Object.keys(RATIO_OF)].map((metric, index) => {
    const total = REVENUE_ROW + index * BLOCK_ROWS + 1 + COMPANIES.length;
    const x = (index % 2) * (CARD.width + CARD.gap);
    const y = Math.floor(index / 2) * (CARD.height + CARD.gap);
    return {
      ...createFigure(`total-${index}`, { x, y }, { width: CARD.width, height: CARD.height }),
      data: {
        chartId: `total-${index}`,
        type: "scorecard",
        title: { text: `${metric} 2024`, bold: true },
        keyValue: `G${total}`,
        baseline: `F${total}`,
        baselineMode: "percentage",
        baselineDescr: { text: "against 2023" },
        baselineColorUp: "#2E8B57",
        baselineColorDown: "#C0392B",
        humanize: true,
      },
    };
  });
}

function createRevenueChart() {
  const total = REVENUE_ROW + 1 + COMPANIES.length;
  const [first, last] = [YEAR_COLUMNS[0], YEAR_COLUMNS.at(-1)];
  const size = { width: 2 * CARD.width + CARD.gap, height: 260 };
  return {
    ...createFigure("revenue", { x: 0, y: 2 * (CARD.height + CARD.gap) }, size),
    data: {
      chartId: "revenue",
      type: "bar",
      title: { text: "Revenue by year", bold: true },
      dataSource: {
        type: "range",
        dataSets: [{ dataSetId: "total", dataRange: `${first}${total}:${last}${total}` }],
        dataSetsHaveTitle: false,
        labelRange: `${first}${HEADER_ROW}:${last}${HEADER_ROW}`,
      },
      dataSetStyles: { total: { label: "Revenue", backgroundColor: "#1F4E79" } },
      legendPosition: "none",
      stacked: false,
      humanize: true,
    },
  };
}

function createFigure(id: string, offset: { x: number; y: number }, size: { width: number; height: number }) {
  return { id, tag: "chart", col: LEFT_COLUMN, row: REVENUE_ROW - 1, offset, ...size };
}
