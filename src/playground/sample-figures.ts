import { BLOCK_ROWS, COMPANIES, HEADER_ROW, RATIO_OF, REVENUE_ROW, YEAR_COLUMNS } from "./sample-layout";

const CARD = { width: 220, height: 140, gap: 12 };
const LEFT_COLUMN = 9;

/** Makes what stands beside the model: the last year's totals, and revenue by year. */
export function createModelFigures(): object[] {
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
