import { isKnownMetric } from "../feed/financials/metric-lists";
import { isYearFact } from "../feed/financials/metrics";
import { readUnitText, toDivisorFormat } from "../feed/financials/unit";
import type { FormulaCall } from "./formula-text";

/** The number format of figures in a unit. */
export const toUnitFormat = (unit: string): string => toDivisorFormat(readUnitText(unit)?.divisor ?? 1);

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
