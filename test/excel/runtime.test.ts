import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import type { FunctionCall } from "../office/bridge";
import { toOutcome } from "../office/deliveries";
import { createOfficeRuntime, type OfficeRuntime } from "../office/runtime";

let runtime: OfficeRuntime;
let toys = 0;

beforeEach(async () => {
  runtime = createOfficeRuntime({ origin: "http://127.0.0.1:3000" });
  await runtime.ready;
});

afterEach(() => runtime.dispose());

/** Calls a function whose body is given as text, and waits for its first result. */
async function deliver(body: string, call: Partial<FunctionCall> = {}) {
  const name = `TOY${++toys}`;
  runtime.load(`CustomFunctions.associate("${name}", ${body});`);
  return runtime.next(runtime.call(name, call.parameters ?? [], call));
}

const streamed = (expression: string) =>
  deliver(`(invocation) => invocation.setResult(${expression})`, { stream: true });
const errorValue = (code: string, errorType: string, message?: string) => ({
  valueType: "CustomFunctionError",
  code,
  type: "Error",
  basicValue: code,
  basicType: "Error",
  ...(message === undefined ? {} : { message }),
  errorType,
});

describe("the genuine runtime calls a function", () => {
  it("and delivers its result, whatever the letter case of its name", async () => {
    runtime.load(`CustomFunctions.associate("toy.add", (a, b) => a + b);`);
    expect(await runtime.next(runtime.call("TOY.ADD", [2, 3]))).toEqual({ ok: true, value: 5 });
  });

  it("with the invocation after the parameters, including its address", async () => {
    const delivery = await deliver("(a, b, invocation) => [a, b, invocation.address, invocation.functionName].join()", {
      parameters: [1, null],
      address: "Sheet1!B2",
    });
    expect(delivery.value).toBe(`1,,Sheet1!B2,TOY${toys}`);
  });

  it("and reports an unknown name as an error", async () => {
    expect(await runtime.next(runtime.call("NOBODY", []))).toMatchObject({ ok: false, errorCode: 2, message: "" });
  });

  it("in a page at the companion's origin", async () => {
    expect((await deliver("() => location.origin")).value).toBe("http://127.0.0.1:3000");
  });

  it("with desktop ExcelApi 1.20 supported", async () => {
    const delivery = await deliver(`() => Office.context.requirements.isSetSupported("ExcelApi", "1.20")`);
    expect(delivery.value).toBe(true);
  });
});

describe("the genuine runtime streams", () => {
  it("every value set after the previous one was sent", async () => {
    runtime.load(`CustomFunctions.associate("GROW", (invocation) => {
      globalThis.grow = (rows) => invocation.setResult(Array.from({ length: rows }, (_, row) => [row]));
      grow(1);
    });`);
    const id = runtime.call("GROW", [], { stream: true });
    expect((await runtime.next(id)).value).toEqual([[0]]);
    runtime.load("grow(3)");
    expect((await runtime.next(id)).value).toEqual([[0], [1], [2]]);
  });

  it("only the last value set before the message was sent", async () => {
    const body = "(invocation) => { for (let step = 1; step <= 9; step++) invocation.setResult(step); }";
    expect(await deliver(body, { stream: true })).toEqual({ ok: true, value: 9 });
  });

  it("the results of 5,000 calls of one host message as one message", async () => {
    runtime.load(`CustomFunctions.associate("ECHO", (value, invocation) => invocation.setResult(value));`);
    const calls = Array.from({ length: 5000 }, (_, row) => ({ functionName: "ECHO", parameters: [row], stream: true }));
    const before = runtime.messagesSent.length;
    const deliveries = await runtime.settled(runtime.callMany(calls));
    expect(deliveries.map((delivery) => delivery.value)).toEqual(calls.map((call) => call.parameters[0]));
    expect(runtime.messagesSent.length - before).toBe(1);
  });

  it("nothing set after the cancel, and runs onCanceled once", async () => {
    runtime.load(`globalThis.streams = []; globalThis.cancels = 0;
    CustomFunctions.associate("HELD", (value, invocation) => {
      streams.push(invocation);
      invocation.onCanceled = () => { cancels += 1; };
      invocation.setResult(value);
    });
    CustomFunctions.associate("CANCELS", () => cancels);`);
    const calls = ["a", "b"].map((value) => ({ functionName: "HELD", parameters: [value], stream: true }));
    const [cancelled, running] = runtime.callMany(calls) as [number, number];
    await runtime.settled([cancelled, running]);
    runtime.cancel(cancelled);
    runtime.cancel(cancelled);
    runtime.load(`for (const stream of streams) stream.setResult("later");`);
    await runtime.next(running);
    // Both values were set in the same task, so a retained one of the cancelled stream would be in this message.
    expect((await runtime.next(running)).value).toBe("later");
    expect(runtime.results(cancelled).map((delivery) => delivery.value)).toEqual(["a"]);
    expect((await runtime.next(runtime.call("CANCELS", []))).value).toBe(1);
  });

  it("a value set before the cancel", async () => {
    runtime.load(`CustomFunctions.associate("ONCE", (invocation) => invocation.setResult("set before"));`);
    const id = runtime.call("ONCE", [], { stream: true });
    runtime.cancel(id);
    expect((await runtime.next(id)).value).toBe("set before");
  });

  it("nothing for a stream that returns a value or rejects later", async () => {
    runtime.load(`CustomFunctions.associate("RETURNS", () => 1);
    CustomFunctions.associate("FAILS", () => {
      const failed = Promise.reject(new CustomFunctions.Error("#N/A", "lost"));
      failed.catch(() => undefined);
      return failed;
    });
    CustomFunctions.associate("MARK", () => "mark");`);
    const silent = runtime.callMany(
      ["RETURNS", "FAILS"].map((functionName) => ({ functionName, parameters: [], stream: true })),
    );
    await runtime.next(runtime.call("MARK", []));
    await runtime.next(runtime.call("MARK", []));
    expect(silent.map((id) => runtime.results(id))).toEqual([[], []]);
  });
});

describe("the genuine runtime and the text of an error", () => {
  it.each([
    ["#N/A", 1],
    ["#VALUE!", 7],
  ])("keep it for a thrown or rejected CustomFunctions.Error with %s", async (code, errorCode) => {
    const error = `new CustomFunctions.Error("${code}", "what to do")`;
    const expected = { ok: false, value: undefined, errorCode, message: "what to do" };
    expect(await deliver(`() => { throw ${error}; }`)).toEqual(expected);
    expect(await deliver(`() => { throw ${error}; }`, { stream: true })).toEqual(expected);
    expect(await deliver(`async () => { throw ${error}; }`)).toEqual(expected);
    expect(await deliver(`(invocation) => invocation.setError(${error})`, { stream: true })).toEqual(expected);
  });

  it.each([
    ["#N/A", "NotAvailable"],
    ["#VALUE!", "Value"],
  ])("keep it for a CustomFunctions.Error with %s set or returned as a value", async (code, errorType) => {
    const error = `new CustomFunctions.Error("${code}", "what to do")`;
    const expected = { ok: true, value: errorValue(code, errorType, "what to do") };
    expect(await streamed(error)).toEqual(expected);
    expect(await deliver(`() => ${error}`)).toEqual(expected);
    expect(toOutcome(expected)).toEqual({ error: { code, message: "what to do" } });
  });

  it("keep it for any error passed to setError", async () => {
    const delivery = await deliver(`(invocation) => invocation.setError(new Error("shown"))`, { stream: true });
    expect(delivery).toMatchObject({ ok: false, errorCode: 7, message: "shown" });
  });

  it("lose it in the cell for every other code", async () => {
    const thrown = await deliver(`() => { throw new CustomFunctions.Error("#NUM!", "dropped"); }`);
    expect(thrown).toMatchObject({ ok: false, errorCode: 6, message: "dropped" });
    expect(toOutcome(thrown)).toEqual({ error: { code: "#NUM!", message: "" } });
    expect((await streamed(`new CustomFunctions.Error("#NUM!", "dropped")`)).value).toEqual(errorValue("#NUM!", "Num"));
  });

  it("lose it for another class of error", async () => {
    expect(await deliver(`() => { throw new Error("secret"); }`)).toMatchObject({
      ok: false,
      errorCode: 2,
      message: "",
    });
    expect(await deliver(`async () => { throw new Error("secret"); }`)).toMatchObject({ errorCode: 3, message: "" });
    const set = await streamed(`new Error("secret")`);
    expect(set).toMatchObject({ ok: false, errorCode: 0 });
    expect(toOutcome(set)).toEqual({ error: { code: "#VALUE!", message: "" } });
  });
});

describe("the genuine runtime sends a matrix", () => {
  const matrix = `[
    [new CustomFunctions.Error("#N/A", "no value"), new CustomFunctions.Error("#VALUE!", "wrong"), 1],
    [new CustomFunctions.Error("#NUM!", "dropped"), "text", true],
  ]`;
  const elements = [
    [errorValue("#N/A", "NotAvailable", "no value"), errorValue("#VALUE!", "Value", "wrong"), 1],
    [errorValue("#NUM!", "Num"), "text", true],
  ];

  it.each([
    ["without flags", {}],
    ["with rich data", { richData: true }],
    ["with errors allowed in parameters", { allowErrors: true }],
  ])("with errors as elements, with text for #N/A and #VALUE! alone, %s", async (_flags, call) => {
    const expected = { ok: true, value: elements };
    expect(await deliver(`(invocation) => invocation.setResult(${matrix})`, { ...call, stream: true })).toEqual(
      expected,
    );
    expect(await deliver(`() => ${matrix}`, call)).toEqual(expected);
    expect(await deliver(`async () => ${matrix}`, call)).toEqual(expected);
  });

  it("whose errors the emulation converts into cell values", () => {
    expect(toOutcome({ ok: true, value: [[errorValue("#N/A", "NotAvailable", "no value"), 1]] })).toEqual({
      value: [[{ error: { code: "#N/A", message: "no value" } }, 1]],
    });
  });

  it("with an empty object for an element that is another error class", async () => {
    expect((await streamed(`[[new Error("plain"), 1]]`)).value).toEqual([[{}, 1]]);
  });

  it("with null for non-values, and text for a date", async () => {
    const delivery = await streamed("[[null, NaN, Infinity, undefined, new Date(0)]]");
    expect(delivery.value).toEqual([[null, null, null, null, "1970-01-01T00:00:00.000Z"]]);
  });

  it("with ragged rows unchanged", async () => {
    expect((await streamed("[[1, 2, 3], [4], []]")).value).toEqual([[1, 2, 3], [4], []]);
  });
});

describe("the genuine runtime sends a single value", () => {
  it("that is no number as an error", async () => {
    expect(await streamed("NaN")).toMatchObject({ ok: false, errorCode: 0, message: "NaN" });
    expect(await streamed("-Infinity")).toMatchObject({ ok: false, errorCode: 6, message: "Infinity" });
  });

  it("that is missing as null, and a date as text", async () => {
    expect(await streamed("undefined")).toEqual({ ok: true, value: null });
    expect(await streamed("new Date(0)")).toEqual({ ok: true, value: "1970-01-01T00:00:00.000Z" });
  });
});

describe("the genuine runtime passes parameters", () => {
  const bad = { code: "#N/A", type: "CustomFunctionError" };
  const seen = `(value) => [value].flat(2).map((item) =>
    item instanceof CustomFunctions.Error ? "error " + item.code + item.message : JSON.stringify(item)).join()`;

  it("with errors as CustomFunctions.Error if functions.json allows them", async () => {
    expect((await deliver(seen, { parameters: [bad], allowErrors: true })).value).toBe("error #N/A");
    const range = [[bad, 1, null, 0, "", "a"]];
    expect((await deliver(seen, { parameters: [range], allowErrors: true })).value).toBe('error #N/A,1,null,0,"","a"');
  });

  it("with bare objects for errors if it does not", async () => {
    expect((await deliver(seen, { parameters: [bad] })).value).toBe(JSON.stringify(bad));
  });

  it("with data types parsed from their text", async () => {
    const price = { value: JSON.stringify({ type: "Double", basicValue: 1.5 }) };
    expect((await deliver(seen, { parameters: [price], richData: true })).value).toBe(
      '{"type":"Double","basicValue":1.5}',
    );
  });
});

describe("the window of the genuine runtime", () => {
  it("gives its scripts answers of their own realm, as a page does", async () => {
    const server = createServer((_request, response) => response.end('{"list":[1]}'));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const { value } = await deliver(`async () => (await (await fetch("${url}")).json()).list instanceof Array`);
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    expect(value).toBe(true);
  });

  it("gives its scripts errors of their own realm", async () => {
    const refused = `fetch("http://127.0.0.1:1/").catch((error) => error instanceof TypeError)`;
    expect((await deliver(`() => ${refused}`)).value).toBe(true);
  });

  it("lets a script distinguish its own abort from a failure", async () => {
    const body = `async () => {
      const controller = new AbortController();
      controller.abort();
      try { await fetch("http://127.0.0.1:9/", { signal: controller.signal }); } catch (error) { return error.name; }
    }`;
    expect((await deliver(body)).value).toBe("AbortError");
  });
});
