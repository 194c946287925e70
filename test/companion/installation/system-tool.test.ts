import { expect, it } from "@jest/globals";
import { requireTool, runTool, succeeds } from "../../../src/companion/machine";

const NONE = "feed-no-such-program";
const environment = process.env;
const toWords = (script: string) => ["-e", script];
const SPEAKING = toWords('console.log("said"); console.error("failed\\nas it must"); process.exit(3)');

it("a program of the system gives its code and its texts, by the environment of its caller", async () => {
  const words = toWords('console.log(process.env.FEED_MARK); console.error("seen")');
  expect(await runTool(process.execPath, words, { environment: { ...environment, FEED_MARK: "marked" } })).toEqual({
    ...{ code: 0, output: "marked\n", errors: "seen\n" },
  });
  expect(await runTool(process.execPath, SPEAKING, { environment })).toMatchObject({ code: 3, output: "said\n" });
});

it("a program that the system lacks gives nothing, and one that takes too long no success", async () => {
  expect(await runTool(NONE, [], { environment })).toBeUndefined();
  const endless = toWords("setInterval(() => {}, 1000)");
  expect(await runTool(process.execPath, endless, { environment, timeoutMs: 50 })).toMatchObject({ code: -1 });
});

it("a program succeeds by its code alone", async () => {
  const run = (program: string, words: string[]) => succeeds(program, words, { environment });
  const all = [run(process.execPath, toWords("")), run(process.execPath, SPEAKING), run(NONE, [])];
  expect(await Promise.all(all)).toEqual([true, false, false]);
});

it("a program that must succeed is quoted by its first line, or said to be missing", async () => {
  const require = (program: string, words: string[]) =>
    requireTool("Nothing was done", program, words, { environment });
  await expect(require(process.execPath, SPEAKING)).rejects.toThrow(
    `Nothing was done: ${process.execPath} ends with 3 and says "failed".`,
  );
  await expect(require(process.execPath, toWords("process.exit(4)"))).rejects.toThrow(/ ends with 4\.$/);
  await expect(require(NONE, [])).rejects.toThrow(`Nothing was done: this system has no program "${NONE}".`);
  expect(await require(process.execPath, toWords('console.log("done")'))).toMatchObject({ output: "done\n" });
});
