import { isKnownMetric, isYearFact } from "../feed/financials/metrics";
import type { FormulaCall } from "./formula-text";

/** Decimals for small figures in a large unit, which would otherwise show as 0 or -0. */
const DECIMALS: Readonly<Record<string, string>> = { bn: "#,##0.00", m: "#,##0.0" };

/** The number format of figures in a unit: "k", "m", "bn", a divisor, or none. */
export const toUnitFormat = (unit: string): string => DECIMALS[unit.toLowerCase()] ?? "#,##0";

/** Places of FINANCIAL's arguments. */
const [METRIC, UNIT] = [2, 4];

/** The number format of a formula whose cells are surely figures; undefined for any other. */
export function toFigureFormat({ name, given }: FormulaCall): string | undefined {
  const metric = given[METRIC];
  if (name !== "FINANCIAL" || metric?.kind !== "text") return undefined;
  if (!metric.value.split(",").every((each) => isKnownMetric(each) && !isYearFact(each))) return undefined;
  const unit = given[UNIT] ?? { kind: "text", value: "" };
  return unit.kind === "text" ? toUnitFormat(unit.value) : undefined; // any other unit may make figures too small for it
}
