import { median } from "./measure";
import type { Finding } from "./row";

const toNumber = (value: number): string => value.toFixed(Math.abs(value) < 10 && !Number.isInteger(value) ? 1 : 0);

export const toTable = (findings: readonly Finding[]): string => findings.map(toLine).join("\n");

function toLine({ what, unit, samples, goal }: Finding): string {
  const ours = median(samples.FEED ?? []);
  const figures = Object.entries(samples).map(([name, all]) => {
    const middle = median(all);
    const span = new Set(all).size > 1 ? ` (${toNumber(Math.min(...all))} to ${toNumber(Math.max(...all))})` : "";
    const ratio = name === "FEED" || middle === 0 ? "" : `, FEED is ${(ours / middle).toFixed(2)} ×`;
    return `${name} ${toNumber(middle)} ${unit}${span}${ratio}`;
  });
  const verdict = goal === undefined ? [] : [`goal ${goal.text}: ${goal.isReached ? "reached" : "NOT reached"}`];
  return [`  ${what}`, ...[...figures, ...verdict].map((line) => `      ${line}`)].join("\n");
}
