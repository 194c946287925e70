/** The toy bundle's handles in the page for the test. */
export interface Toy {
  calls: string[];
  streams: Record<string, { setResult(value: unknown): void }>;
}

/** The text of functions.js for the metadata of toy-functions.json. */
export const TOY_BUNDLE = `
const toy = (parent.toy = { calls: [], streams: {} }); // the page around the pane, where the test looks
CustomFunctions.associate("FINANCIAL", () => {});
CustomFunctions.associate("LIVE", (key, invocation) => {
  toy.calls.push("call " + key);
  toy.streams[key] = invocation;
  invocation.onCanceled = () => toy.calls.push("cancel " + key);
});
CustomFunctions.associate("FAIL", (code, text, invocation) => {
  invocation.setResult(new CustomFunctions.Error("#" + code, text));
});
`;
