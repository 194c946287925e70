import { createCustomFunctionsRuntime, type Invocation } from "../../src/playground/excel-runtime";
import type { FunctionMetadata } from "../../src/playground/metadata";

type Stream = { parameters: unknown[]; invocation: Required<Invocation>; cancelled: boolean };

export const stream = (
  name: string,
  parameters: FunctionMetadata["parameters"] = [{ name: "a", type: "any", optional: true }],
) => ({
  id: name,
  name,
  parameters,
  options: { stream: true, cancelable: true, requiresStreamAddress: name === "ECHO" },
});

/** A runtime with the streaming functions ECHO, which requires its address, and OTHER; they record their calls. */
export function createBench(seed?: number, addressOf: (cell: string) => string | undefined = () => undefined) {
  const delivered: string[][] = [];
  const log: string[] = [];
  const streams: Stream[] = [];
  const runtime = createCustomFunctionsRuntime({
    onResults: (cells) => delivered.push(cells),
    addressOf,
    ...(seed === undefined ? {} : { seed }),
  });
  const record = (...given: unknown[]) => {
    const invocation = given.pop() as Required<Invocation>;
    const entry: Stream = { parameters: given, invocation, cancelled: false };
    log.push(`call ${JSON.stringify(given)}`);
    invocation.onCanceled = () => {
      entry.cancelled = true;
      log.push(`cancel ${JSON.stringify(given)}`);
    };
    streams.push(entry);
  };
  runtime.load({ functions: [stream("ECHO"), stream("OTHER")] });
  runtime.customFunctions.associate({ ECHO: record, OTHER: record });
  const type = (cell: string, ...given: Parameters<typeof runtime.call>[1]) => {
    runtime.beginCell(cell);
    return runtime.call("ECHO", given, cell);
  };
  return { runtime, delivered, log, streams, type };
}
