import type { FeedCode } from "../client/errors";
import { COMPANY_FORMULAS } from "./companies";
import { FINANCIAL_FORMULAS } from "./financials";
import type { FormulaReference } from "./formula";
import { NAME_FORMULAS } from "./names";
import { RANKING_FORMULAS } from "./rankings";
import { STATUS_FORMULAS } from "./status";
import { TAXONOMY_FORMULAS } from "./taxonomies";
import type { Text } from "./texts";

/** The formulas by family, in the order in which they are listed. */
export const FORMULA_FAMILIES: readonly { title: Text; formulas: Readonly<Record<string, FormulaReference>> }[] = [
  { title: { en: "Financials", ja: "財務" }, formulas: FINANCIAL_FORMULAS },
  { title: { en: "Companies", ja: "企業" }, formulas: { ...COMPANY_FORMULAS, ...NAME_FORMULAS } },
  { title: { en: "Taxonomies", ja: "産業分類" }, formulas: TAXONOMY_FORMULAS },
  { title: { en: "Rankings", ja: "ランキング" }, formulas: RANKING_FORMULAS },
  { title: { en: "The add-in itself", ja: "アドイン" }, formulas: STATUS_FORMULAS },
];

/** The reference of each formula, by its id. */
export const FORMULAS: ReadonlyMap<string, FormulaReference> = new Map(
  FORMULA_FAMILIES.flatMap(({ formulas }) => Object.entries(formulas)),
);

/** The errors of every query to the provider. */
const PROVIDER_ERRORS: readonly FeedCode[] = [
  "FEED_NOT_CONNECTED",
  "FEED_SIGNER_UNREACHABLE",
  "FEED_SIGNER_REFUSED",
  "FEED_TOKEN_REFUSED",
  "FEED_TOKEN_MALFORMED",
  "FEED_UNAUTHORISED",
  "FEED_SCOPE_MISSING",
  "FEED_RATE_LIMITED",
  "FEED_SERVER_FAILED",
  "FEED_NETWORK_FAILED",
  "FEED_TIMED_OUT",
  "FEED_RESPONSE_MALFORMED",
  "FEED_CONFIRM_NEEDED",
];

/** Every error that a formula can give, its own first. */
export const listErrors = ({ errors, isLocal = false }: FormulaReference): readonly FeedCode[] => [
  ...errors,
  ...(isLocal ? [] : PROVIDER_ERRORS),
  "FEED_INTERNAL",
];
