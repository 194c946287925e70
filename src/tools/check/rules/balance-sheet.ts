import type { FigureCell } from "../model";
import type { Rule } from "../rule";
import { isBalanced, listStatements, type Statements } from "../statements";

/** Names of all equity; shareholders' equity leaves out minorities and warrants, and need not balance. */
const EQUITY = ["Total Equity", "Net Assets"];

/** Parts of the assets that the provider names. */
const PARTS = ["Cash and equivalents", "Inventory", "Accounts Receivable"];

/**
 * What: total assets are not liabilities and equity, or are smaller than cash, inventory and receivables together.
 * Why: a balance sheet that does not balance mixes two reports or two versions.
 * How: the provider's amounts of one company, year and version, wherever they stand; rounding is allowed for.
 * Example: assets 900, liabilities 500, equity 300.
 */
export const balanceSheet: Rule = {
  id: "balanceSheet",
  gravity: "warning",
  *find({ model }) {
    for (const statements of listStatements(model).values()) {
      const assets = statements.find("Total Assets");
      const found = assets === undefined ? null : findExcess(assets, statements);
      if (assets === undefined || found === null) continue;
      const [first] = found.parts as [FigureCell];
      const cells = [assets.key, ...found.parts.map(({ key }) => key)];
      const values = { expected: found.expected, shown: assets.figure.amount };
      yield { at: assets.key, cells, evidence: [first.key, assets.key], around: cells, values };
    }
  },
};

function findExcess(assets: FigureCell, { find }: Statements): { parts: FigureCell[]; expected: number } | null {
  const [liabilities, equity] = [find("Total Liabilities"), EQUITY.map(find).find((cell) => cell !== undefined)];
  if (liabilities !== undefined && equity !== undefined) {
    const parts = [liabilities, equity];
    const expected = toSum(parts);
    const lines = [assets, ...parts].map(({ figure }) => figure.amount);
    return isBalanced(expected, assets.figure.amount, lines) ? null : { parts, expected };
  }
  const parts = PARTS.map(find).filter((cell) => cell !== undefined);
  const expected = toSum(parts);
  const lines = [assets, ...parts].map(({ figure }) => figure.amount);
  const isWithin = expected <= assets.figure.amount || isBalanced(expected, assets.figure.amount, lines);
  return parts.length === 0 || isWithin ? null : { parts, expected };
}

const toSum = (cells: readonly FigureCell[]) => cells.reduce((sum, { figure }) => sum + figure.amount, 0);
