import { describe, expect, it } from "@jest/globals";
import { parseJson } from "../../../src/client/http/json";
import { readReply } from "../../../src/client/http/response";

/** Parses a text, and lists what happened. */
async function parse(text: string) {
  const steps: string[] = [];
  const pending = parseJson(text, async () => void steps.push("pause"));
  pending.then(() => steps.push("value"));
  return { value: await pending, steps };
}

const toText = (rows: number) => JSON.stringify({ data: Array(rows).fill({ name: "company ".repeat(100) }) });

describe("an answer", () => {
  it("is parsed at once where it is short", async () => {
    expect(await parse('{"data":[]}')).toEqual({ value: { data: [] }, steps: ["value"] });
  });

  it("is parsed between two pauses where it is long", async () => {
    const text = toText(1_000);
    expect(await parse(text)).toEqual({ value: JSON.parse(text), steps: ["pause", "pause", "value"] });
  });

  it.each(["{", `${toText(1_000)},`])("is undefined where it is invalid", async (text) => {
    expect((await parse(text)).value).toBeUndefined();
  });
});

describe("a long body", () => {
  it("is read with a pause before so much of it has come in one task that people notice", async () => {
    const rows = Array.from({ length: 1_000 }, (_, at) => ({ at, name: "company ".repeat(100) }));
    const bytes = new TextEncoder().encode(JSON.stringify({ data: rows }));
    const inTask: number[] = [0];
    const receive = (count: number) => void inTask.push(inTask.pop()! + count);
    const pause = async () => void inTask.push(0);
    const { body } = await readReply(new Response(toStream(bytes, 65_536)), 0, [], false, receive, pause);
    expect(body).toEqual({ data: rows });
    expect(Math.max(...inTask)).toBeLessThan(500_000);
  });
});

function toStream(bytes: Uint8Array, chunk: number): ReadableStream<Uint8Array> {
  let from = 0;
  return new ReadableStream({
    pull(controller) {
      controller.enqueue(bytes.subarray(from, from + chunk));
      from += chunk;
      if (from >= bytes.length) controller.close();
    },
  });
}
