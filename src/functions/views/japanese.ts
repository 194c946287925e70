import { toEnglish } from "../../feed/financials/japanese";
import type { Argument } from "../arguments";

type Named = Readonly<Record<"metric" | "basis" | "unit", Argument>>;

/** Gives an opener that takes the Japanese names of metrics, versions and units too. */
export const withJapanese =
  <Given extends Named, Opened>(open: (given: Given) => Opened) =>
  (given: Given): Opened =>
    open({
      ...given,
      metric: toEnglish("metric", given.metric),
      basis: toEnglish("basis", given.basis),
      unit: toEnglish("unit", given.unit),
    });
