import type { CellState } from "../../../src/contract/workbook";
import type { Chance } from "../../support/chance";
import {
  type Labels,
  type Layout,
  type Plan,
  round,
  type SourceCompany,
  state,
  toCompanyLabel,
  toMetricLabel,
  toYearLabel,
} from "./typed-block-cells";

export interface Filling {
  chance: Chance;
  plan: Plan;
  labels: Labels;
  top: number;
  write: (row: number, column: number, content: CellState) => void;
  type: (row: number, column: number, company: SourceCompany, year: number, metric: string) => void;
  decoy: (row: number, column: number, content: CellState) => void;
}

function each<T>(items: readonly T[], visit: (item: T, index: number) => void): void {
  for (const [index, item] of items.entries()) visit(item, index);
}

/** Writes the labels and numbers of each layout. */
export const FILLERS: Record<Layout, (filling: Filling) => void> = {
  companiesByYears({ chance, plan, labels, top, write, type, decoy }) {
    const [metric = ""] = plan.metrics;
    if (labels.metrics !== "none") write(top, 0, toMetricLabel(metric, labels.metrics));
    const header = top + 1;
    each(plan.years, (year, index) => write(header, 1 + index, toYearLabel(year, labels.years)));
    each(plan.companies, (company, index) => {
      write(header + 1 + index, 0, toCompanyLabel(company, labels.kind));
      each(plan.years, (year, column) => type(header + 1 + index, 1 + column, company, year, metric));
    });
    const end = header + 1 + plan.companies.length;
    write(end, 0, state(labels.metrics === "ja" ? "合計" : "Total"));
    each(plan.years, (_, column) =>
      decoy(
        end,
        1 + column,
        chance.happens(0.5) ? state(round(chance.next() * 1e5, 1)) : { value: 5, formula: "=SUM(2,3)", format: "" },
      ),
    );
    write(header, 1 + plan.years.length, state("CAGR"));
    each(plan.companies, (_, index) =>
      decoy(header + 1 + index, 1 + plan.years.length, state(round(chance.next() * 20, 1))),
    );
  },
  companiesByMetrics({ chance, plan, labels, top, write, type, decoy }) {
    const [year = 0] = plan.years;
    write(top, 0, toYearLabel(year, labels.years === "end" ? "FY" : labels.years));
    each(plan.metrics, (metric, index) => write(top + 1, 1 + index, toMetricLabel(metric, labels.metrics)));
    write(top + 1, 1 + plan.metrics.length, state("Margin %"));
    each(plan.companies, (company, index) => {
      const row = top + 2 + index;
      write(row, 0, toCompanyLabel(company, labels.kind));
      for (const [column, metric] of plan.metrics.entries()) type(row, 1 + column, company, year, metric);
      decoy(row, 1 + plan.metrics.length, state(round(chance.next() * 30, 1)));
    });
  },
  statement({ chance, plan, labels, top, write, type, decoy }) {
    const [company] = plan.companies as [SourceCompany];
    const label = toCompanyLabel(company, labels.kind);
    write(top, 0, chance.happens(0.3) ? state(`${label.value} - Income statement`) : label);
    each(plan.years, (year, column) => write(top + 1, 1 + column, toYearLabel(year, labels.years)));
    each(plan.metrics, (metric, index) => {
      write(top + 2 + index, 0, toMetricLabel(metric, labels.metrics));
      each(plan.years, (year, column) => type(top + 2 + index, 1 + column, company, year, metric));
    });
    const end = top + 2 + plan.metrics.length;
    write(end, 0, state(labels.metrics === "ja" ? "営業利益率" : "EBIT margin"));
    each(plan.years, (_, column) => decoy(end, 1 + column, state(round(chance.next() * 0.3, 3), "0.0%")));
    write(end + 1, 0, state(labels.metrics === "ja" ? "前年比" : "YoY"));
    each(plan.years, (_, column) => decoy(end + 1, 1 + column, state(round(chance.next() * 10, 1))));
  },
  long({ plan, labels, top, write, type }) {
    each(plan.metrics, (metric, index) => write(top, 2 + index, toMetricLabel(metric, labels.metrics)));
    let row = top + 1;
    for (const company of plan.companies) {
      for (const year of plan.years) {
        write(row, 0, toCompanyLabel(company, labels.kind));
        write(row, 1, toYearLabel(year, labels.years));
        for (const [index, metric] of plan.metrics.entries()) type(row, 2 + index, company, year, metric);
        row++;
      }
    }
  },
  groups({ plan, labels, top, write, type }) {
    each(plan.metrics, (metric, group) => {
      const from = 1 + group * plan.years.length;
      write(top, from, toMetricLabel(metric, labels.metrics));
      each(plan.years, (year, index) => write(top + 1, from + index, toYearLabel(year, labels.years)));
    });
    each(plan.companies, (company, index) => {
      write(top + 2 + index, 0, toCompanyLabel(company, labels.kind));
      each(plan.metrics, (metric, group) =>
        each(plan.years, (year, column) =>
          type(top + 2 + index, 1 + group * plan.years.length + column, company, year, metric),
        ),
      );
    });
  },
};
