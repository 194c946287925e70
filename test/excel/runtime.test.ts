import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { createOfficeRuntime, type OfficeRuntime } from "../office/runtime";

let runtime: OfficeRuntime;

beforeEach(async () => {
  runtime = createOfficeRuntime({ origin: "http://127.0.0.1:3000" });
  await runtime.ready;
});

afterEach(() => runtime.dispose());

/** Calls a function whose body is given as text, and waits for its first result. */
async function deliver(body: string) {
  runtime.load(`CustomFunctions.associate("TOY", ${body});`);
  return runtime.next(runtime.call("TOY", []));
}

it("the genuine runtime delivers a function's result, whatever the letter case of its name", async () => {
  runtime.load(`CustomFunctions.associate("toy.add", (a, b) => a + b);`);
  expect(await runtime.next(runtime.call("TOY.ADD", [2, 3]))).toEqual({ ok: true, value: 5 });
});

/** What cells show of errors, matrices, single values and parameters: two-runtimes.test.ts. */
describe("the genuine runtime streams", () => {
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
