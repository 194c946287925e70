import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "@jest/globals";

const MAIN = join(__dirname, "../../dist/companion/main.mjs");
const started: ChildProcess[] = [];

/** Starts the built program as `npm start` does after the build. */
function start(words: string[], environment: NodeJS.ProcessEnv) {
  const { PATH, HOME } = process.env;
  const child = spawn(process.execPath, [MAIN, ...words], { env: { PATH, HOME, ...environment } });
  started.push(child);
  const text = { output: "", errors: "" };
  child.stdout.on("data", (part) => {
    text.output += part;
  });
  child.stderr.on("data", (part) => {
    text.errors += part;
  });
  return { child, text };
}

afterEach(() => {
  for (const child of started.splice(0)) child.kill("SIGKILL");
});

describe("the built companion", () => {
  it("prints its address in one line, answers there, and ends well when told to", async () => {
    const { child, text } = start(["start", "--companies", "50"], { PORT: "0" });
    await Promise.race([once(child.stdout, "data"), once(child, "exit")]);
    expect([text.output, text.errors]).toEqual([
      expect.stringMatching(/^FEED for Excel is ready: http:\/\/localhost:\d+\/playground\.html \(sample data\)\n$/),
      "",
    ]);
    const address = text.output.match(/http:\S+/)?.[0] ?? "";
    expect((await fetch(address)).status).toBe(200);
    child.kill("SIGTERM");
    expect(await once(child, "exit")).toEqual([0, null]);
  });

  it("ends at once, saying why, when a provider's settings are incomplete", async () => {
    const { child, text } = start(["start"], { PORT: "0", FEED_CLIENT_ID: "client-1" });
    expect(await once(child, "close")).toEqual([1, null]);
    expect(text.output).toBe("");
    expect(text.errors).toContain("FEED_BASE_URL is missing");
  });

  it("ends at once, in one line, when an option is unknown", async () => {
    const { child, text } = start(["start", "--colour"], { PORT: "0" });
    expect(await once(child, "close")).toEqual([1, null]);
    expect([text.output, text.errors]).toEqual(["", "Error: Unknown option '--colour'. Try: npm start -- --help\n"]);
  });

  it("explains itself and ends well", async () => {
    const { child, text } = start(["start", "--help"], {});
    expect(await once(child, "close")).toEqual([0, null]);
    expect([text.output.startsWith("Usage: npm start -- [options]\n"), text.errors]).toEqual([true, ""]);
  });
});
