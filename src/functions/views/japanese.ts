import { toEnglish } from "../../feed/financials/japanese";
import type { Argument } from "../arguments";
import type { View } from "../view-observer";

type Named = Readonly<Record<"metric" | "basis" | "unit", Argument>>;

/** Gives an opener that takes the Japanese names of metrics, versions and units too. */
export const withJapanese =
  <Given extends Named>(open: (given: Given) => View) =>
  (given: Given): View =>
    open({
      ...given,
      metric: toEnglish("metric", given.metric),
      basis: toEnglish("basis", given.basis),
      unit: toEnglish("unit", given.unit),
    });
