/** A formula as the engine runs it; its code has it as `this`. */
interface Formula {
  literalValues: Record<string, unknown[]>;
  symbols: unknown[];
}

/** One run of a formula: the engine's arguments, and the values named by earlier lines. */
interface Frame {
  formula: Formula;
  deps: unknown[];
  ref(dependency: unknown): unknown;
  range(dependency: unknown): unknown;
  getSymbolValue(symbol: unknown, isRange: boolean): unknown;
  ctx: Record<string, (...values: unknown[]) => unknown>;
  named: Map<string, unknown>;
}

type Step = (frame: Frame) => unknown;

const PARAMETERS = ["deps", "ref", "range", "getSymbolValue", "ctx"] as const;
const LINE = /^(?:const (_\d+) =|return) (.*);$/;
/** Lines of the debugger, in formulas that begin with "=?". */
const DEBUG = /^(debugger;|ctx\["debug"\] = true;)?$/;

/** Each form of a value in the engine's code, and its step. */
const FORMS: readonly (readonly [form: RegExp, toStep: (...parts: string[]) => Step])[] = [
  [/^(_\d+)$/, readNamed],
  [/^undefined$/, () => () => undefined],
  [/^\{ value: (true|false) \}$/, (word) => () => ({ value: word === "true" })],
  [
    /^this\.literalValues\.(numbers|strings)\[(\d+)\]$/,
    (kind = "", at) =>
      ({ formula }) =>
        formula.literalValues[kind]?.[Number(at)],
  ],
  [
    /^(ref|range)\(deps\[(\d+)\]\)$/,
    (read, at) => (frame) => frame[read === "ref" ? "ref" : "range"](frame.deps[Number(at)]),
  ],
  [
    /^getSymbolValue\(this\.symbols\[(-?\d+)\], (true|false)\)$/,
    (at, word) =>
      ({ formula, getSymbolValue }) =>
        getSymbolValue(formula.symbols[Number(at)], word === "true"),
  ],
  [/^ctx\['([^']+)'\]\((|_\d+(?:, ?_\d+)*)\)$/, readCall],
];

/**
 * Returns a function that runs the engine's code of a formula, as `new Function` would; the page's policy forbids
 * compiling code.
 * @throws EvalError for any other code
 */
export function readFormulaCode(code: string) {
  const lines = code.split("\n").map((line) => line.trim());
  const steps = lines.filter((line) => !DEBUG.test(line)).map(readLine);
  return function run(this: Formula, ...[deps, ref, range, getSymbolValue, ctx]: Given): unknown {
    const frame: Frame = { formula: this, deps, ref, range, getSymbolValue, ctx, named: new Map() };
    for (const { name, step } of steps) {
      const value = step(frame);
      if (name === undefined) return value;
      frame.named.set(name, value);
    }
    return undefined;
  };
}

type Given = [Frame["deps"], Frame["ref"], Frame["range"], Frame["getSymbolValue"], Frame["ctx"]];

function readLine(line: string): { name: string | undefined; step: Step } {
  const [, name, value = ""] = LINE.exec(line) ?? [];
  for (const [form, toStep] of FORMS) {
    const [, ...parts] = form.exec(value) ?? [];
    if (form.test(value)) return { name, step: toStep(...parts) };
  }
  throw new EvalError(`This page compiles formulas only, and not: ${line}`);
}

function readNamed(name = ""): Step {
  return ({ named }) => named.get(name);
}

function readCall(name = "", list = ""): Step {
  const values = list === "" ? [] : list.split(/, ?/).map(readNamed);
  return (frame) => frame.ctx[name]!(...values.map((read) => read(frame)));
}

/** Replaces the page's `Function` by one that makes the engine's formulas alone. */
export function replaceFunction(page: { Function: unknown }): void {
  const { prototype } = Function;
  function FormulaFunction(...texts: string[]) {
    const code = texts.pop() ?? "";
    if (String(texts) !== String(PARAMETERS)) throw new EvalError("This page compiles formulas only.");
    return readFormulaCode(code);
  }
  // Checks for functions read these.
  page.Function = Object.defineProperties(FormulaFunction, {
    prototype: { value: prototype },
    name: { value: "Function" },
  });
}
