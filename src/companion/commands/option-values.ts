import { InvalidArgumentError } from "commander";

/** Gives the reader of an option's whole number within a range. */
export function toWholeNumber(least: number, most: number): (text: string) => number {
  return (text) => {
    const count = /^\d+$/.test(text) ? Number(text) : Number.NaN;
    if (count >= least && count <= most) return count;
    throw new InvalidArgumentError(`It must be a whole number from ${least} to ${most}.`);
  };
}
