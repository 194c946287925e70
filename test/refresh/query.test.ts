import { readdirSync } from "node:fs";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { MAIN, openHome } from "../companion/programs";
import { itOnPosix } from "../support/posix";
import { type RunningProvider, startSandbox } from "../support/provider";
import { until } from "../support/until";
import { toEnvironment } from "./command-surroundings";

let sandbox: RunningProvider;
const home = openHome();

beforeAll(async () => {
  sandbox = await startSandbox({ companies: 120 });
});
beforeEach(() => sandbox.controls.reset());
afterAll(() => sandbox.close());

/** Runs the built command with the sandbox as its provider. */
const query = (words: readonly string[], environment: NodeJS.ProcessEnv = {}, input = "") =>
  home.run(["query", ...words], { ...toEnvironment(sandbox), ...environment }, MAIN, input);

const TOP = 'CHOOSECOLS(FEED.RANKING("2024-01",,3),1,5)';

describe("feed query", () => {
  it("shows a table as CSV in a pipe, says nothing else, writes nothing, and ends by itself", async () => {
    const { code, output, errors } = await query([TOP]);
    expect([code, errors]).toEqual([0, ""]);
    expect(output).toMatch(/^Rank,Page views\r\n1,\d+\r\n2,\d+\r\n3,\d+\r\n$/);
    expect(readdirSync(home.folder)).toEqual([]);
  });

  it("calculates what is around a formula, nested ones too, with or without the equals sign", async () => {
    const { output } = await query([TOP]);
    const views = [...output.matchAll(/,(\d+)\r/g)].map(([, text]) => Number(text));
    const sum = views.reduce((total, each) => total + each, 0);
    const all = 'CHOOSECOLS(FEED.RANKING("2024-01",,3),5)';
    const around = await query([`=SUM(${all})`, `IFERROR(FEED.COMPANY("0000000000000","name"),MAX(${all}))`]);
    expect([around.code, around.output]).toEqual([0, `${sum}\r\n\r\n${views[0]}\r\n`]);
  });

  it("tells in JSON what figures are, when and from where they came", async () => {
    const { output: id } = await query(['FEED.UNIVERSE("JPN","PRIVATE",1,"companyId",FALSE)']);
    const { code, output } = await query(["--json", `FEED.FINANCIAL("${id.trim()}",2023,"Revenue",,1000)`, TOP]);
    const { results, ...source } = JSON.parse(output);
    expect([code, source]).toEqual([
      0,
      { provider: sandbox.baseUrl, client: sandbox.clientId, sample: false, requests: 2 },
    ]);
    const [figure, ranking] = results;
    expect(figure).toMatchObject({
      error: null,
      rows: [[expect.any(Number)]],
      asOf: expect.stringMatching(/^\d{4}-.*Z$/),
    });
    expect(figure.facts).toEqual([
      [
        expect.objectContaining({
          currency: "JPY",
          year: 2023,
          unit: 1000,
          asOf: figure.asOf,
          periodEnd: expect.stringMatching(/^2023|^2024/),
        }),
      ],
    ]);
    expect([ranking.formula, ranking.rows[1], ranking.facts]).toEqual([`=${TOP}`, [1, expect.any(Number)], undefined]);
  });

  it("tells the cost before it is caused, and asks nothing above the limit", async () => {
    const formulas = ["2024-01", "2024-02", "2024-03"].map((month) => `FEED.RANKING("${month}",,3)`);
    expect((await query(formulas)).errors).toBe("This takes about 3 requests.\n");
    sandbox.controls.reset();
    const { code, output, errors } = await query([...formulas, "--max-requests", "2"]);
    expect([code, output]).toEqual([1, ""]);
    expect(errors).toMatch(/^Error: This takes 3 requests or more, and 2 are allowed, .*: --max-requests 3\n$/);
    expect(sandbox.controls.count("rankCompanies")).toBe(0);
  });

  it("reads formulas from standard input, one a line", async () => {
    const { code, output } = await query(["-"], {}, `\n=${TOP}\r\n  COUNTA(${TOP})\n`);
    expect([code, output.split("\r\n\r\n").length, output.split("\r\n").at(-2)]).toEqual([0, 2, "8"]);
  });

  it("reads on where one formula fails, and says which", async () => {
    const nobody = 'FEED.COMPANY("0000000000000","name")';
    const { code, output, errors } = await query([nobody, "SUM(", "1+1", "FEED.RANKING(A1)", "COUNTA(FEED.STATUS())"]);
    expect([code, output]).toEqual([1, "#N/A\r\n\r\n\r\n\r\n\r\n\r\n\r\n\r\n1\r\n"]);
    const unreadable = "FEED_UNREADABLE: the formula cannot be read, or none of FEED is in it";
    expect(errors.split("\n")).toEqual([
      expect.stringMatching(/^=FEED\.COMPANY\("0000000000000","name"\): FEED_NOT_FOUND: no company has the id/),
      expect.stringContaining(`=SUM(: ${unreadable}`),
      expect.stringContaining(`=1+1: ${unreadable}`),
      "=FEED.RANKING(A1): FEED_UNREADABLE: there are no cells here to refer to; write their values in their place",
      "Error: 4 of 5 formulas failed.",
      "",
    ]);
  });

  it("says so where the provider does not let it in", async () => {
    const { code, errors } = await query([TOP], { FEED_CLIENT_ID: "nobody" });
    expect([code, errors]).toEqual([1, expect.stringMatching(/^=CHOOSECOLS.*: FEED_TOKEN_REFUSED: .*\nError: 1 of 1/)]);
  });

  it("says so, and nothing else, where the provider does not answer", async () => {
    const { code, errors } = await query([TOP], { FEED_BASE_URL: "http://127.0.0.1:1" });
    expect([code, errors]).toEqual([
      1,
      expect.stringMatching(/^=CHOOSECOLS[^\n]*: FEED_[^\n]*\nError: 1 of 1[^\n]*\n$/),
    ]);
  });

  it("warns of sample data, which are no figures, and keeps nothing of them", async () => {
    const { code, output, errors } = await home.run([
      "query",
      'FEED.FINANCIAL("Komorebi Education Inc.",2023,"Revenue")',
    ]);
    expect([code, output]).toEqual([0, expect.stringMatching(/^\d+\r\n$/)]);
    expect(readdirSync(home.folder)).toEqual([]);
    expect(errors).toBe("These are sample data: no provider is set, and no figure is real.\n");
  });

  it.each<[number, string, string[], NodeJS.ProcessEnv?]>([
    [2, "no formula", []],
    [2, "no formula on standard input", ["-"]],
    [2, "two formats", [TOP, "--csv", "--json"]],
    [2, "a limit that is none", [TOP, "--max-requests", "many"]],
    [2, "a code without its companion", [TOP, "--code", "ABCD-EFGH"]],
    [2, "a companion that is none", [TOP, "--companion", "localhost"]],
    [3, "wrong settings", [TOP], { FEED_BASE_URL: "http://feed.example.com" }],
  ])("ends with %i for %s", async (code, _what, words, environment = {}) => {
    expect(await query(words, environment)).toEqual({ code, output: "", errors: expect.stringMatching(/^Error: /) });
  });

  itOnPosix("is ended by Ctrl+C at once, without a word", async () => {
    sandbox.controls.latencyMs = 20_000;
    const program = home.start(["query", TOP], toEnvironment(sandbox));
    await until(() => sandbox.controls.count() > 0);
    expect(await program.end("SIGINT")).toBeNull();
    expect([program.output, program.errors, program.child.signalCode]).toEqual(["", "", "SIGINT"]);
  });
});

describe("a companion that runs", () => {
  it("answers without a pairing where it has sample data", async () => {
    const companion = home.start(["start", "--companies", "50"]);
    const origin = await companion.find(/ready: (http:\/\/[^/]+)/);
    const { code, output } = await home.run(["query", "--companion", origin, TOP]);
    expect([code, output.split("\r\n").length]).toEqual([0, 5]);
  });

  it("is paired by the command that it names and a code, once, and then answers without a key here", async () => {
    const provider = toEnvironment(sandbox);
    const origin = await home.start(["start"], provider).find(/ready: (http:\/\/[^/ ]+)/);
    const words = ["query", "--companion", origin, TOP];
    const stranger = await home.run(words);
    expect([stranger.code, stranger.output]).toEqual([3, ""]);
    const [, name = ""] = /run: \S+.* pair ([2-9A-Z]{4}) \. Then repeat/.exec(stranger.errors) ?? [];
    const [code = ""] = /[2-9A-Z]{4}-[2-9A-Z]{4}/.exec((await home.run(["pair", name], provider)).output) ?? [];
    const answered = { code: 0, output: expect.stringMatching(/^Rank,Page views\r\n1,/), errors: "" };
    expect(await home.run([...words, "--code", code])).toEqual(answered);
    expect(await home.run(words)).toEqual(answered);
    expect(sandbox.controls.count("createToken")).toBeGreaterThan(0);
  });
});
