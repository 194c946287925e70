import { once } from "node:events";
import { PassThrough } from "node:stream";
import { describe, expect, it } from "@jest/globals";
import { createSecretPrompt } from "../../src/companion/terminal";

/** A terminal with scripted input. */
function createTerminal() {
  const input = new PassThrough();
  const output = new PassThrough({ encoding: "utf8" });
  return { input, output, prompt: createSecretPrompt(input, output) };
}

describe("a prompt for a secret", () => {
  it("shows itself and nothing of the answer", async () => {
    const { input, output, prompt } = createTerminal();
    const answer = prompt("Passphrase: ");
    input.write("a long secre");
    input.write("xx\u007f\u007ft\r");
    expect(await answer).toBe("a long secret");
    expect(output.read()).toBe("Passphrase: \n");
  });

  it("works twice, one after the other", async () => {
    const { input, output, prompt } = createTerminal();
    const first = prompt("Once: ");
    input.write("one\r");
    await first;
    const second = prompt("Again: ");
    input.write("two\r");
    expect([await first, await second, output.read()]).toEqual(["one", "two", "Once: \nAgain: \n"]);
  });

  it.each([
    ["Ctrl+C", "\u0003"],
    ["Ctrl+D", "\u0004"],
  ])("ends by %s without an answer", async (_name, key) => {
    const { input, prompt } = createTerminal();
    const answer = prompt("Passphrase: ");
    input.write(key);
    await expect(answer).rejects.toThrow("No answer was given, so nothing was done.");
  });

  it("ends when the terminal does", async () => {
    const { input, prompt } = createTerminal();
    const answer = prompt("Passphrase: ");
    input.end();
    await once(input, "end");
    await expect(answer).rejects.toThrow("No answer was given");
  });
});
