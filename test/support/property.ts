import fc from "fast-check";

/** How often a property is drawn, or of how many things: by each change, or by the long tests, which find what is rare. */
export const toRuns = (short: number, long: number): number => (process.env.TEST_TIER === "long" ? long : short);

/** Throws: a matcher's many calls would take most of the test's time. */
export function hold(isSo: boolean, law: string): void {
  if (!isSo) throw new Error(`Broken: ${law}.`);
}

/** A record among others of a choice, drawn so often. */
export const weigh = <Part>(weight: number, part: { [Name in keyof Part]: fc.Arbitrary<Part[Name]> }) => ({
  weight,
  arbitrary: fc.record(part) as fc.Arbitrary<Part>,
});
