// One script for the formulas that compare rankings of several periods.
export { openMovers } from "./movers";
export { openTrend } from "./trend";
