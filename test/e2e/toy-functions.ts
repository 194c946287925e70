/** A small bundle in the build's form: functions.json's content and functions.js's text. */
export const TOY_METADATA = {
  allowErrorForDataTypeAny: true,
  functions: [
    {
      id: "FINANCIAL",
      name: "FINANCIAL",
      description: "Gives one number of a company's accounts, or a grid.",
      parameters: [
        { name: "company", type: "any", dimensionality: "matrix" },
        { name: "year", type: "any", dimensionality: "matrix" },
        { name: "metric", type: "any", dimensionality: "matrix" },
        { name: "basis", type: "any", optional: true },
        { name: "unit", type: "any", optional: true },
      ],
      options: { stream: true, cancelable: true },
    },
    {
      id: "RANKING",
      name: "RANKING",
      description: "Gives the listed companies with the most page views.",
      parameters: ["start", "end", "top"].map((name) => ({ name, type: "any", optional: name !== "start" })),
      options: { stream: true, cancelable: true },
    },
    {
      id: "LIVE",
      name: "LIVE",
      description: "Shows what the test sets.",
      parameters: [{ name: "key", type: "any" }],
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
    {
      id: "ADD",
      name: "ADD",
      parameters: [
        { name: "a", type: "number" },
        { name: "b", type: "number" },
      ],
      options: {},
    },
    { id: "SAME", name: "SAME", parameters: [{ name: "value", type: "any" }], options: { stream: true } },
    {
      id: "SHAPE",
      name: "SHAPE",
      parameters: [{ name: "json", type: "string" }],
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
const size = (text) => [...String(text)].reduce((sum, letter) => sum + letter.charCodeAt(0), 0);
CustomFunctions.associate({
  FINANCIAL(companies, years, metrics, basis, unit, invocation) {
    invocation.setResult(companies.map(([company]) => years[0].map((year) => size(company) * 10 + size(metrics[0][0]) + Number(year))));
  },
  RANKING(start, end, top, invocation) {
    const rows = Array.from({ length: top }, (_, index) => [index + 1, "Company " + (index + 1), "T" + index, "Tokyo", 90000 - index, 4000 - index, 3.5, 0.5, 60]);
    invocation.setResult([["Rank", "Name", "Ticker", "Headquarters", "Page views", "Unique page views", "Average minutes", "Minimum", "Maximum"], ...rows]);
  },
  LIVE(key, invocation) {
    toy.calls.push("call " + key);
    toy.streams[key] = invocation;
    invocation.onCanceled = () => toy.calls.push("cancel " + key);
  },
  FAIL(code, text, invocation) {
    invocation.setResult(new CustomFunctions.Error("#" + code, text));
  },
  ADD: (a, b) => a + b,
  SAME: (value, invocation) => {
    const shown = value instanceof CustomFunctions.Error ? "error " + value.code : value === null ? "null" : typeof value + " " + value;
    invocation.setResult(shown);
  },
  SHAPE: (json, invocation) => invocation.setResult(JSON.parse(json)),
});
`;
