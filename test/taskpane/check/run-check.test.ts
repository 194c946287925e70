import { describe, expect, it } from "@jest/globals";
import type { Place } from "../../../src/contract/workbook";
import type { Session } from "../../../src/session/session";
import { checkModel } from "../../../src/taskpane/check/check";
import { runCheck } from "../../../src/taskpane/check/run-check";
import type { CheckThread } from "../../../src/taskpane/check/thread";
import { toTexts } from "../../../src/taskpane/texts";
import { createChance } from "../../support/chance";
import { createFakeWorkbook } from "../fake-workbook";
import { Book } from "./book";
import { FAULTS } from "./faults";

/** Checks a workbook with one number among formulas, which the host knows more of. */
async function check(known: (place: Place) => { spilled?: Place[]; frozen?: Place[] }) {
  const book = new Book();
  const [address = ""] = FAULTS.typedNumber[0]?.(book, createChance(7), "Model") ?? [];
  const { spilled = [], frozen = [] } = known({ sheet: "Model", address });
  const workbook = {
    ...createFakeWorkbook(),
    readContents: async () => book.toInput(),
    listSpilled: async () => spilled,
    listFrozen: async () => frozen.map((place) => ({ ...place, formula: "", isAsFrozen: true })),
  };
  const thread: CheckThread = { check: async () => checkModel(book.toInput()), cancel: () => {} };
  const session = { calls: { list: () => [] }, isStale: () => false, feed: {} } as unknown as Session;
  const { findings } = await runCheck(workbook, session, toTexts("en"), thread, () => {});
  return findings.map(({ rule }) => rule);
}

describe("a number among formulas", () => {
  it("is reported where somebody typed it", async () => {
    expect(await check(() => ({}))).toEqual(["typedNumber"]);
  });

  it("is left alone where another cell's formula fills it", async () => {
    expect(await check((place) => ({ spilled: [place] }))).toEqual([]);
  });

  it("is left alone where it is a frozen value, whose formula the workbook stores", async () => {
    expect(await check((place) => ({ frozen: [place] }))).toEqual([]);
  });
});

describe("a sheet that is deleted while the check runs", () => {
  it("is left out: the check begins again", async () => {
    const [before, after] = [new Book(), new Book()];
    FAULTS.typedNumber[0]?.(before, createChance(7), "Model");
    after.enter("Other", "A1", "=1+1");
    const read = [before, after];
    let reads = 0;
    const readContents = async () => (read[reads++] as Book).toInput();
    const gone = Object.assign(new Error("gone"), { fault: "missing" });
    const workbook = { ...createFakeWorkbook(), readContents, listSpilled: () => Promise.reject(gone) };
    const thread: CheckThread = {
      check: async (contents, facts) =>
        checkModel({ ...contents, facts: (await facts) && (read[reads - 1]?.toInput().facts ?? []) }),
      cancel: () => {},
    };
    const session = { calls: { list: () => [] }, isStale: () => false, feed: {} } as unknown as Session;
    const { findings, formulas } = await runCheck(workbook, session, toTexts("en"), thread, () => {});
    expect([findings, formulas, reads]).toEqual([[], 1, 2]);
  });
});
