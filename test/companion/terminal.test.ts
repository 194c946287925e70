import { once } from "node:events";
import { PassThrough } from "node:stream";
import { describe, expect, it } from "@jest/globals";
import { createSecretPrompt } from "../../src/companion/terminal";

/** A terminal with scripted input. */
function createTerminal() {
  const input = new PassThrough();
  const output = new PassThrough({ encoding: "utf8" });
  return { input, output, ask: createSecretPrompt(input, output) };
}

describe("a prompt for a secret", () => {
  it("shows itself and nothing of the answer", async () => {
    const { input, output, ask } = createTerminal();
    const answer = ask("Passphrase: ");
    input.write("a long secre");
    input.write("xx\u007f\u007ft\r");
    expect(await answer).toBe("a long secret");
    expect(output.read()).toBe("Passphrase: \n");
  });

  it("works twice, one after the other", async () => {
    const { input, output, ask } = createTerminal();
    const first = ask("Once: ");
    input.write("one\r");
    await first;
    const second = ask("Again: ");
    input.write("two\r");
    expect([await first, await second, output.read()]).toEqual(["one", "two", "Once: \nAgain: \n"]);
  });

  it.each([
    ["Ctrl+C", "\u0003"],
    ["Ctrl+D", "\u0004"],
  ])("ends by %s without an answer", async (_name, key) => {
    const { input, ask } = createTerminal();
    const answer = ask("Passphrase: ");
    input.write(key);
    await expect(answer).rejects.toThrow("No answer was given, so nothing was done.");
  });

  it("ends when the terminal does", async () => {
    const { input, ask } = createTerminal();
    const answer = ask("Passphrase: ");
    input.end();
    await once(input, "end");
    await expect(answer).rejects.toThrow("No answer was given");
  });
});
