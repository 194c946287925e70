const anyOf = (...names: string[]) => names.map((name) => ({ name, type: "any" }));

/** A small bundle in the build's form: functions.json's content and functions.js's text. */
export const TOY_METADATA = {
  allowErrorForDataTypeAny: true,
  functions: [
    {
      id: "FINANCIAL",
      name: "FINANCIAL",
      description: "Is for its help alone.",
      parameters: [
        ...anyOf("company", "year", "metric"),
        ...anyOf("basis", "unit").map((parameter) => ({ ...parameter, optional: true })),
      ],
      options: { stream: true, cancelable: true },
    },
    {
      id: "LIVE",
      name: "LIVE",
      description: "Shows what the test sets.",
      parameters: anyOf("key"),
      options: { stream: true, cancelable: true },
    },
    {
      id: "FAIL",
      name: "FAIL",
      description: "Fails.",
      parameters: [
        { name: "code", type: "string" },
        { name: "text", type: "string" },
      ],
      options: { stream: true },
    },
  ],
};

/** The toy bundle's handles in the page for the test. */
export interface Toy {
  calls: string[];
  streams: Record<string, { setResult(value: unknown): void }>;
}

export const TOY_BUNDLE = `
const toy = (parent.toy = { calls: [], streams: {} }); // the page around the pane, where the test looks
CustomFunctions.associate({
  FINANCIAL() {},
  LIVE(key, invocation) {
    toy.calls.push("call " + key);
    toy.streams[key] = invocation;
    invocation.onCanceled = () => toy.calls.push("cancel " + key);
  },
  FAIL(code, text, invocation) {
    invocation.setResult(new CustomFunctions.Error("#" + code, text));
  },
});
`;
