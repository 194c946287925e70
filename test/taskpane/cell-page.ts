import { jest } from "@jest/globals";
import { createSession, type Session } from "../../src/session/session";
import { installCustomFunctions } from "../office/custom-functions";
import { createHurriedPorts } from "./gate";

/** A page whose formulas are in cells, as in the pane's own page. */
export interface CellPage {
  session: Session;
  /** Enters a formula in a cell, until it has a result; omitted arguments are null. */
  type(name: FormulaName, address: string, ...given: unknown[]): Promise<unknown[][]>;
}

const FORMULAS = {
  FINANCIAL: ["financials", "financial"],
  FINANCIALS: ["financials", "financials"],
  COMPANY: ["companies", "company"],
  RANKING: ["rankings", "ranking"],
  "COMPANY.FIND": ["names", "companyFind"],
} as const;

type FormulaName = keyof typeof FORMULAS;

/** The page's own session: the formulas are loaded once, and share the pane's error classes. */
const current: { session: Session | null } = { session: null };

/** Opens a page of a companion, as if the previous one were closed. */
export async function openCells(origin: string): Promise<CellPage> {
  installCustomFunctions();
  jest.doMock("../../src/session/current", () => current);
  const session = createSession({ ports: createHurriedPorts(), companionUrl: origin });
  current.session = session;
  await session.connect();
  return {
    session,
    async type(name, address, ...given) {
      const [file, exported] = FORMULAS[name];
      const formula: (...all: unknown[]) => void = require(`../../src/functions/${file}`)[exported];
      const padded = Array.from({ length: formula.length - 1 }, (_, index) => given[index] ?? null);
      return new Promise((resolve) => {
        formula(...padded, { address, setResult: resolve, onCanceled: () => {} });
      });
    },
  };
}
