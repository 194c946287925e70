/** How often a property is drawn: by each change, or by the long tests, which find what is rare. */
export const toRuns = (short: number, long: number): number => (process.env.TEST_TIER === "long" ? long : short);
