import "./surroundings";
import type { Ports } from "../../src/client/ports";
import { companies, company } from "../../src/functions/companies";
import { financial, financials } from "../../src/functions/financials";
import { ranking } from "../../src/functions/rankings";
import { classification, constituents, peers } from "../../src/functions/taxonomies";
import { session } from "../../src/session/current";
import { createSession, type Session } from "../../src/session/session";
import { type Shown, toShown } from "../office/custom-functions";

const FORMULAS = {
  FINANCIAL: financial,
  FINANCIALS: financials,
  COMPANY: company,
  COMPANIES: companies,
  CONSTITUENTS: constituents,
  PEERS: peers,
  CLASSIFICATION: classification,
  RANKING: ranking,
};

/** A formula's name as it is typed behind FEED and a dot. */
export type FormulaName = keyof typeof FORMULAS;

/**
 * Opens a page in this process: the formulas have one session, which becomes a new one. A page of before must be
 * left by all its cells.
 */
export function openPage(ports: Ports, companionUrl: string): Session {
  Object.defineProperties(session, Object.getOwnPropertyDescriptors(createSession({ ports, companionUrl })));
  return session;
}

/**
 * Types a formula into a cell of the page.
 *
 * @param given its arguments in their order, null where not given; the others are left out
 * @param show hears of everything that the cell is to show
 * @param isInValuePreview whether the formula is still being typed
 * @returns what the host calls when the cell is emptied
 */
export function type(
  name: FormulaName,
  given: readonly unknown[],
  show: (shown: Shown) => void,
  isInValuePreview = false,
): () => void {
  const formula = FORMULAS[name] as (...all: unknown[]) => void;
  const invocation = {
    isInValuePreview,
    onCanceled: () => {},
    setResult: (value: unknown) => show(toShown(value)),
  };
  const padded = Array.from({ length: formula.length - 1 }, (_, index) => given[index] ?? null);
  formula(...padded, invocation);
  return () => invocation.onCanceled();
}
