import "./globals";
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

/** A formula's name as typed after "FEED.". */
export type FormulaName = keyof typeof FORMULAS;

/**
 * Opens a page in this process with a new session for the formulas. The cells of an earlier page must be cleared
 * first.
 */
export function openPage(ports: Ports, companionUrl: string): Session {
  Object.defineProperties(session, Object.getOwnPropertyDescriptors(createSession({ ports, companionUrl })));
  return session;
}

/**
 * Types a formula into a cell of the page.
 * @param given Its arguments in order, null if omitted; trailing ones are left out.
 * @param show Called with each result of the cell.
 * @param isInValuePreview Whether the formula is still being typed.
 * @returns the host's cancel, for when the cell is cleared
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
