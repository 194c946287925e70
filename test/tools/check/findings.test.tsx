/**
 * @jest-environment ./test/support/jsdom-environment.cjs
 */
import { afterEach, describe, expect, it } from "@jest/globals";
import { cleanup, fireEvent, screen, waitFor } from "@testing-library/react/pure";
import type { CellState, CellValue } from "../../../src/contract/workbook";
import type { Session } from "../../../src/session/session";
import { learn } from "../../../src/taskpane/separators";
import { Check } from "../../../src/tools/check/Check";
import { checkModel } from "../../../src/tools/check/check";
import { FindingLine } from "../../../src/tools/check/FindingLine";
import { FindingList } from "../../../src/tools/check/FindingList";
import type { Finding, FixedCell, RuleId } from "../../../src/tools/check/finding";
import { isAgreeing } from "../../../src/tools/check/mending";
import { createChance } from "../../support/chance";
import { createIdle } from "../../taskpane/desk";
import { createFakeWorkbook, type FakeWorkbook } from "../../taskpane/fake-workbook";
import { openPart } from "../../taskpane/open-pane";
import { Book } from "./book";
import { FAULTS } from "./faults";

afterEach(cleanup);

/** Shows an error on one sheet and a warning on another. */
function openList() {
  const book = new Book();
  const chance = createChance(7);
  FAULTS.mixedCurrency[2]?.(book, chance, "Sums");
  FAULTS.typedNumber[0]?.(book, chance, "Model");
  const session = createIdle();
  const checked = { ...checkModel(book.toInput()), unknown: 0, dead: [] };
  return { session, ...openPart(session, <FindingList checked={checked} recheck={() => {}} />) };
}

const press = (name: string) => fireEvent.click(screen.getByRole("button", { name }));
const choose = (name: string, value: string) =>
  fireEvent.change(screen.getByRole("combobox", { name }), { target: { value } });

describe("the list of findings", () => {
  it.each([
    ["Rule", "typedNumber"],
    ["Sheet", "Model"],
    ["Gravity", "warning"],
  ])("shows those of one %s", (name, value) => {
    openList();
    expect(screen.getAllByText(/^(Currencies mixed|Typed number among FEED formulas)$/)).toHaveLength(2);
    choose(name, value);
    expect(screen.queryByText("Currencies mixed")).toBeNull();
    expect(screen.getByText("Typed number among FEED formulas")).toBeTruthy();
  });

  it("stores a dismissal with its reason in the workbook, and shows it again", async () => {
    const { stored, session } = openList();
    choose("Rule", "typedNumber");
    press("Dismiss");
    fireEvent.change(screen.getByRole("textbox"), { target: { value: " Plan of the board " } });
    press("Dismiss with this reason");
    await screen.findByText(/^No finding fits/);
    await waitFor(() => expect(stored).toMatchObject([{ dismissals: [{ reason: "Plan of the board" }] }]));
    fireEvent.click(screen.getByRole("button", { name: /Dismissed \(1\)/ }));
    await screen.findByText("Plan of the board");
    press("Show again");
    await waitFor(() => expect(session.settings.dismissals).toEqual([]));
  });

  it("goes into a sheet", async () => {
    const { workbook } = openList();
    press("Insert as sheet");
    await screen.findByText(/^Created/);
    expect(workbook.cells.get("Model check!B5")).toBe("Currencies mixed");
    expect(workbook.cells.get("Model check!B6")).toBe("Typed number among FEED formulas");
  });
});

/** Shows the check of a workbook with these formulas, which is made in the page, as jsdom has no workers. */
function openCheck(...formulas: string[]) {
  const workbook = createFakeWorkbook();
  for (const [index, formula] of formulas.entries()) workbook.cells.set(`Model!A${index + 1}`, { formula });
  openPart(createIdle(), <Check />, { workbook });
}

describe("the check of a workbook without findings", () => {
  it("says what to do where there is no figure, and offers neither filter nor report", async () => {
    openCheck("=1+1", "=A1*2");
    await screen.findByText("This workbook has no FEED figures to check. Add a FEED formula first.");
    expect(screen.queryByRole("combobox")).toBeNull();
    expect(screen.getAllByRole("button").map(({ textContent }) => textContent)).toEqual(["Check again"]);
    expect(screen.queryByText(/could not be checked/)).toBeNull();
  });

  it("says how many formulas could not be checked", async () => {
    openCheck("=1+1", "=SUM(A1", "=SUM((A1");
    await screen.findByText("2 formulas could not be checked: the check cannot read them. Look at them yourself.");
  });
});

it("an edit while the check runs is followed by another check, since its cell may have been read before", async () => {
  const workbook = createFakeWorkbook();
  workbook.cells.set("Model!A1", { formula: "=SUM(A2" });
  const reads: (() => void)[] = [];
  const readContents = async () => {
    await new Promise<void>((resolve) => reads.push(resolve));
    return workbook.readContents();
  };
  const session = createIdle();
  const waiting: (() => void)[] = [];
  const after = (_: number, act: () => void) => {
    waiting.push(act);
    return () => {};
  };
  const ports = { ...session.ports, after };
  openPart({ ...session, ports } as Session, <Check />, { workbook: { ...workbook, readContents } });
  await waitFor(() => expect(reads).toHaveLength(1));
  workbook.edit();
  reads[0]?.();
  await screen.findByText(/^1 formula could not be checked/);
  await waitFor(() => expect(waiting).toHaveLength(1));
  workbook.cells.set("Model!A1", { formula: "=1+1" });
  waiting[0]?.();
  await waitFor(() => expect(reads).toHaveLength(2));
  reads[1]?.();
  await waitFor(() => expect(screen.queryByText(/could not be checked/)).toBeNull());
  expect(waiting).toHaveLength(1);
});

/** What formulas show in a workbook, a value each. */
type Results = Readonly<Record<string, CellValue>>;

/** A workbook whose formulas show given values, as a host calculates them at once. */
function createCalculated(results: Results): FakeWorkbook {
  const workbook = createFakeWorkbook();
  const calculate = (state: CellState): CellState =>
    state.formula === "" ? state : { ...state, value: results[state.formula] ?? "#BUSY!" };
  return {
    ...workbook,
    readCells: async (reference) => (await workbook.readCells(reference)).map((row) => row.map(calculate)),
  };
}

const toFinding = (rule: RuleId, cells: readonly FixedCell[], evidence: Finding["evidence"] = []): Finding => {
  const place = { sheet: "Model", address: cells[0]?.address ?? "B2" };
  const fix = cells.length === 0 ? null : { sheet: "Model", cells };
  return { rule, gravity: "error", place, around: place, evidence, values: {}, count: cells.length, fix, key: "k" };
};

const total: FixedCell = {
  address: "B6",
  before: { formula: "=SUM(B2:B4)", value: 100 },
  formula: "=SUM(B2:B5)",
  shown: 107,
};

interface Options {
  results?: Results;
  session?: Partial<Pick<Session, "formulas" | "feed">>;
  dismiss?: (reason: string) => void;
  /** What the host does otherwise. */
  toHost?: (workbook: FakeWorkbook) => FakeWorkbook;
}

/** Shows a finding of a workbook whose cells are as they were checked. */
function open(finding: Finding, options: Options = {}) {
  const { results = {}, session = {}, dismiss = () => {}, toHost = (workbook) => workbook } = options;
  const workbook = createCalculated(results);
  for (const { address, before } of finding.fix?.cells ?? []) {
    workbook.cells.set(`Model!${address}`, before.formula === "" ? before.value : { formula: before.formula });
  }
  const own = { ...createIdle(), ...session } as Session;
  openPart(own, <FindingLine finding={finding} dismiss={dismiss} recheck={() => {}} />, {
    workbook: toHost(workbook),
  });
  return workbook.cells;
}

/** A session that knows what FEED.FINANCIAL shows, or that it takes a request. */
const knowing = (value: CellValue, now = 0): Options["session"] =>
  ({
    formulas: {
      has: () => true,
      listQueries: async () => [],
      run: (_: string, __: unknown, show: (shown: unknown) => void) => {
        show(typeof value === "string" ? { code: value } : [[value]]);
        return () => {};
      },
    },
    feed: { toCost: () => ({ now }) },
  }) as unknown as Options["session"];

const plain: Results = { "=SUM(B2:B4)": 100, "=SUM(B2:B5)": 107 };

describe("a fix of a formula", () => {
  it("shows it by the separators of the person's Excel", () => {
    learn("=SUM(A1,A2)", "=SUMME(A1;A2)", ",");
    const before = { ...total.before, formula: "=SUM(B2,B4*0.5)" };
    open(toFinding("leftOut", [{ ...total, before, formula: "=SUM(B2,B5)" }]), { results: plain });
    expect(screen.getByText(/=SUM\(B2;B4\*0,5\) → =SUM\(B2;B5\)/)).toBeTruthy();
    learn("=A(1,2)", "=A(1,2)", ".");
  });

  it("shows what it changes, tells both values, and is undone", async () => {
    const cells = open(toFinding("leftOut", [total]), { results: plain });
    expect(screen.getByText(/=SUM\(B2:B4\) → =SUM\(B2:B5\)/)).toBeTruthy();
    expect(screen.getByText("100 → 107")).toBeTruthy();
    press("Fix");
    await screen.findByText("Model!B6: showed 100, shows 107 now.");
    expect(cells.get("Model!B6")).toEqual({ formula: "=SUM(B2:B5)" });
    press("Undo");
    await screen.findByText("Undone: Model!B6.");
    expect(cells.get("Model!B6")).toEqual({ formula: "=SUM(B2:B4)" });
  });

  const slipped = { ...total, before: { formula: "=B2/B1-1", value: 1 }, formula: "=B2/A2-1", shown: null };

  interface NoFix {
    is: string;
    says: RegExp;
    /** What somebody has entered since. */
    changed?: string;
    shows?: Results;
    cell?: FixedCell;
  }
  const BY_NOW = /^Model!B6 holds something else by now/;
  it.each<NoFix>([
    { is: "refused where the cell has changed since it was read", changed: "=SUM(B2:B3)", says: BY_NOW },
    { is: "refused where the total, which it counts on, has changed", shows: { "=SUM(B2:B4)": 101 }, says: BY_NOW },
    {
      is: "taken back where the cell would show what the finding does not explain",
      shows: { "=SUM(B2:B5)": 500 },
      says: /^Model!B6 would show 500, which this finding does not explain/,
    },
    {
      is: "taken back where the cell would show an error",
      cell: slipped,
      shows: { "=B2/B1-1": 1, "=B2/A2-1": "#DIV/0!" },
      says: /^Model!B6 would show #DIV\/0!/,
    },
  ])("is $is", async ({ says, changed, shows, cell = total }) => {
    const cells = open(toFinding(cell === total ? "leftOut" : "slippedReference", [cell]), {
      results: { ...plain, ...shows },
    });
    if (changed !== undefined) cells.set("Model!B6", { formula: changed });
    press("Fix");
    await screen.findByText(says);
    expect(cells.get("Model!B6")).toEqual({ formula: changed ?? cell.before.formula });
    expect(screen.queryByRole("button", { name: "Undo" })).toBeNull();
  });

  it("is not undone where somebody has changed the cell since", async () => {
    const cells = open(toFinding("leftOut", [total]), { results: plain });
    press("Fix");
    await screen.findByRole("button", { name: "Undo" });
    cells.set("Model!B6", 42);
    press("Undo");
    await screen.findByText(/^Model!B6 holds something else by now/);
    expect(cells.get("Model!B6")).toBe(42);
  });
});

describe("a fix of several cells", () => {
  const call = (row: number) => `FEED.FINANCIAL(A${row},2024,"Revenue")`;
  const hidden = [3, 4].map((row) => ({
    address: `C${row}`,
    before: { formula: `=IFERROR(${call(row)},0)`, value: 0 },
    formula: `=${call(row)}`,
    shown: null,
  }));
  const results = Object.fromEntries(
    hidden.flatMap(({ before, formula }) => [
      [before.formula, 0],
      [formula, "#N/A"],
    ]),
  );

  it("shows the errors, and is one step to undo", async () => {
    const cells = open(toFinding("hiddenError", hidden), { results });
    press("Fix");
    await screen.findByText("Model!C3 and 1 more cell: showed 0, shows #N/A now.");
    expect([cells.get("Model!C3"), cells.get("Model!C4")]).toEqual(hidden.map(({ formula }) => ({ formula })));
    press("Undo");
    await screen.findByText("Undone: Model!C3 and 1 more cell.");
    expect([cells.get("Model!C3"), cells.get("Model!C4")]).toEqual(
      hidden.map(({ before: { formula } }) => ({ formula })),
    );
  });

  it("changes none where one has changed since", async () => {
    const cells = open(toFinding("hiddenError", hidden), { results });
    cells.set("Model!C4", 9);
    press("Fix");
    await screen.findByText(/^Model!C4 holds something else by now/);
    expect(cells.get("Model!C3")).toEqual({ formula: hidden[0]?.before.formula });
  });

  it("leaves an edit that comes meanwhile, and takes back what it had entered", async () => {
    const toSwapping = (workbook: FakeWorkbook): FakeWorkbook => ({
      ...workbook,
      async swap(sheet, swaps) {
        workbook.cells.set("Model!C4", 9);
        return workbook.swap(sheet, swaps);
      },
    });
    const cells = open(toFinding("hiddenError", hidden), { results, toHost: toSwapping });
    press("Fix");
    await screen.findByText(/^Model!C4 holds something else by now/);
    expect(cells.get("Model!C3")).toEqual({ formula: hidden[0]?.before.formula });
    expect(cells.get("Model!C4")).toBe(9);
  });
});

describe("a typed number among formulas", () => {
  const formula = '=FEED.FINANCIAL("a",2024,"Revenue")';
  const typed = (value: number) =>
    toFinding("typedNumber", [{ address: "B6", before: { formula: "", value }, formula, shown: null }]);

  it("becomes the formula at once where both agree", async () => {
    const cells = open(typed(12_819), { session: knowing(12_818.7) });
    press("Fix");
    await screen.findByText("Model!B6 has its new formula; the value follows.");
    expect(cells.get("Model!B6")).toEqual({ formula });
    press("Undo");
    await waitFor(() => expect(cells.get("Model!B6")).toBe(12_819));
  });

  it("is a choice where they differ: the formula, or the number with a reason", async () => {
    const reasons: string[] = [];
    const cells = open(typed(12_500), { session: knowing(12_819), dismiss: (reason) => reasons.push(reason) });
    press("Fix");
    await screen.findByText("You typed 12,500; the formula gives 12,819.");
    expect(cells.get("Model!B6")).toBe(12_500);
    press("Keep with a reason");
    fireEvent.change(screen.getByRole("textbox"), { target: { value: "Plan" } });
    press("Dismiss with this reason");
    expect(reasons).toEqual(["Plan"]);
    press("Back");
    press("Fix");
    await screen.findByText(/^You typed/);
    press("Use formula");
    await waitFor(() => expect(cells.get("Model!B6")).toEqual({ formula }));
  });

  it("is a choice where the formula's value takes a request, which is not sent", async () => {
    open(typed(12_500), { session: knowing(1, 1) });
    press("Fix");
    await screen.findByText("You typed 12,500. The formula's value is known once it is entered.");
  });

  it("stays where the formula would show an error", async () => {
    const cells = open(typed(12_500), { session: knowing("#N/A") });
    press("Fix");
    await screen.findByText(/^Model!B6 would show #N\/A/);
    expect(cells.get("Model!B6")).toBe(12_500);
  });

  it.each([
    [12_819, 12_819, true],
    [12_819, 12_818.6, true],
    [12_819, 12_818.4, false],
    [1.5, 1.52, true],
    [0.1, 0.3 - 0.2, true],
    [12_819, "#N/A", false],
    [12_819, null, false],
  ])("%s agrees with %s: %s", (number, value, agrees) => {
    expect(isAgreeing(number, value)).toBe(agrees);
  });
});

it.each([
  ["protected", "swap", /protected/i],
  ["refused", "show", /^The sheet "Model" cannot be shown\. Unhide it/],
] as const)("a sheet that allows no fix says what to do: %s", async (code, part, text) => {
  const fault = Object.assign(new Error("no"), { fault: code, place: { sheet: "Model", address: "B6" } });
  const toHost = (workbook: FakeWorkbook) => ({ ...workbook, [part]: () => Promise.reject(fault) });
  const cells = open(toFinding("leftOut", [total]), { results: plain, toHost });
  press("Fix");
  await screen.findByText(text);
  expect(cells.get("Model!B6")).toEqual({ formula: "=SUM(B2:B4)" });
});
