import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { BookRefused, checkReport, openBook, replaceFile } from "../../src/refresh/file";
import { describeOnPosix } from "../support/posix";

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "feed-book-"));
  path = join(folder, "Model.xlsx");
  writeFileSync(path, "old");
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

const NEW = Buffer.from("new");
const read = (at = path) => readFileSync(at, "utf8");

/** The sentence of a refusal, with the folder's name taken out. */
function refusal(act: () => unknown): string {
  try {
    act();
  } catch (error) {
    expect(error).toBeInstanceOf(BookRefused);
    return (error as Error).message.replaceAll(folder, "DIR").replaceAll("\\", "/");
  }
  return "none";
}

/** Excel's own file beside an open workbook. */
function writeExcelLock(name: string, wide = name): void {
  const lock = Buffer.alloc(165, 0x20);
  lock[0] = name.length;
  lock.write(name, 1, "latin1");
  lock.writeUInt16LE(wide.length, 55);
  lock.write(wide, 57, "utf16le");
  writeFileSync(join(folder, "~$Model.xlsx"), lock);
}

describe("a workbook's file", () => {
  it("is replaced in place, and nothing else stays in its folder", () => {
    const book = openBook(path);
    expect(Buffer.from(book.bytes).toString()).toBe("old");
    expect(book.write(NEW)).toBe(path);
    expect([read(), readdirSync(folder)]).toEqual(["new", ["Model.xlsx"]]);
  });

  it("is left alone where the new one goes to another file, which is replaced", () => {
    const out = join(folder, "Out.XLSX");
    for (const content of ["first", "second"]) {
      expect(openBook(path).write(Buffer.from(content), out)).toBe(out);
      expect([read(), read(out)]).toEqual(["old", content]);
    }
  });

  it("may be its own target, and no folder", () => {
    const inner = join(folder, "out.xlsx");
    mkdirSync(inner);
    expect(refusal(() => openBook(path).write(NEW, inner))).toBe("DIR/out.xlsx is a folder. Give a file.");
    expect(openBook(path).write(NEW, join(inner, "..", "Model.xlsx"))).toBe(path);
    expect(read()).toBe("new");
  });

  it("is refused where another program has changed it since it was read, though it looks the same", () => {
    const book = openBook(path);
    const { atime, mtime } = statSync(path);
    writeFileSync(path, "odd");
    utimesSync(path, atime, mtime);
    const sentence = "DIR/Model.xlsx was changed by another program meanwhile, so it was left as it is. Run it again.";
    expect(refusal(() => book.write(NEW))).toBe(sentence);
    expect(refusal(() => book.write(NEW, join(folder, "Out.xlsx")))).toBe(sentence);
    expect([read(), readdirSync(folder)]).toEqual(["odd", ["Model.xlsx"]]);
  });

  it("loses what a killed program left beside it, and not what another is writing", () => {
    const [left, young, other] = ["Model.xlsx.1.feed-tmp", "Model.xlsx.2.feed-tmp", "Other.xlsx.1.feed-tmp"].map(
      (name) => join(folder, `.${name}`),
    ) as [string, string, string];
    for (const each of [left, young, other]) writeFileSync(each, "half");
    for (const each of [left, other]) utimesSync(each, 0, 0);
    openBook(path).write(NEW);
    expect([left, young, other].map((each) => existsSync(each))).toEqual([false, true, true]);
  });
});

it("is replaced under the longest name that a system takes", () => {
  const long = put(`${"模".repeat(83)}.xlsx`);
  openBook(long).write(NEW);
  expect([read(long), readdirSync(folder)]).toEqual(["new", ["Model.xlsx", basename(long)]]);
});

it("is told to be gone where its folder went while it was refreshed", () => {
  const inner = join(folder, "Team");
  mkdirSync(inner);
  const book = openBook(put("Team/Model.xlsx"));
  rmSync(inner, { recursive: true });
  const sentence = "DIR/Team/Model.xlsx cannot be written: it is gone, or its folder. Look at its name and folder.";
  expect(refusal(() => book.write(NEW))).toBe(sentence);
});

describe("a file is refused by a sentence", () => {
  it.each<[string, () => string, string]>([
    [
      "that is not there",
      () => join(folder, "None.xlsx"),
      "There is no file DIR/None.xlsx. Look at its name and folder.",
    ],
    ["that is a folder", () => folder, "DIR is a folder. Give a file."],
    [
      "of another kind",
      () => put("Model.xls"),
      "DIR/Model.xls is no .xlsx or .xlsm. Open it in Excel, save it as one of these, and give that file.",
    ],
    [
      "that Excel keeps beside an open one",
      () => put("~$Model.xlsx"),
      "DIR/~$Model.xlsx is no workbook: Excel writes it beside one that is open.",
    ],
    ["above 200 MB", () => put("Large.xlsx", 200 * 1024 * 1024 + 1), "DIR/Large.xlsx is larger than 200 MB."],
  ])("%s", (_what, toPath, sentence) => {
    expect(refusal(() => openBook(toPath()))).toBe(sentence);
  });

  it.each([
    ["Anna Müller", "Anna Müller", " by Anna Müller"],
    ["????", "田中", " by 田中"],
    ["Bob", "", " by Bob"],
    ["\u001b[31mEve", "\u001b[31mEve", " by [31mEve"],
    ["", "", ""],
  ])("that is open in Excel, with the name of %j", (name, wide, who) => {
    writeExcelLock(name, wide);
    const lock = "If nobody has it open, delete DIR/~$Model.xlsx";
    const sentence = `DIR/Model.xlsx is open in Excel${who}. Close it there, and run this again. ${lock}`;
    expect(refusal(() => openBook(path))).toBe(sentence);
  });

  it("that is open in LibreOffice", () => {
    writeFileSync(join(folder, ".~lock.Model.xlsx#"), ",DESK/anna,desk,27.11.2026 17:05,file:///home/anna;");
    expect(refusal(() => openBook(path))).toMatch(/^DIR\/Model\.xlsx is open in LibreOffice\. Close/);
  });

  it("whose lock came while it was refreshed", () => {
    const book = openBook(path);
    writeExcelLock("Anna");
    expect(refusal(() => book.write(NEW))).toMatch(/is open in Excel by Anna/);
    expect([read(), readdirSync(folder)]).toEqual(["old", ["Model.xlsx", "~$Model.xlsx"]]);
  });

  it("whose lock has any content", () => {
    for (const length of [0, 1, 56, 57, 60]) {
      writeFileSync(join(folder, "~$Model.xlsx"), Buffer.alloc(length, 0xff));
      expect(refusal(() => openBook(path))).toMatch(/ is open in Excel( by .*)?\. Close/);
    }
  });

  it.each<[string, string, string]>([
    ["of another kind", "Out.csv", "DIR/Out.csv must end in .xlsx, as the workbook does: Excel opens no other."],
    [
      "with macros that it has not",
      "O.xlsm",
      "DIR/O.xlsm must end in .xlsx, as the workbook does: Excel opens no other.",
    ],
    ["that Excel keeps", "~$O.xlsx", "DIR/~$O.xlsx is no workbook: Excel writes it beside one that is open."],
    ["in no folder", "none/Out.xlsx", "There is no folder DIR/none. Make it, or choose another."],
  ])("as a target %s", (_what, name, sentence) => {
    const book = openBook(path);
    for (const act of [() => book.check(join(folder, name)), () => book.write(NEW, join(folder, name))])
      expect(refusal(act)).toBe(sentence);
    expect(readdirSync(folder)).toEqual(["Model.xlsx"]);
  });
});

it("refuses a report without a name, as of a variable that is not set, and one that is no file", () => {
  expect(refusal(() => checkReport(""))).toBe(`${process.cwd()} is a folder. Give a file.`);
  if (process.platform !== "win32") expect(refusal(() => checkReport("/dev/null"))).toBe("/dev/null is no file.");
});

describeOnPosix("on POSIX, a workbook's file", () => {
  it("keeps its mode, and a link to it stays a link", () => {
    chmodSync(path, 0o640);
    const link = join(folder, "Link.xlsx");
    symlinkSync("Model.xlsx", link);
    openBook(link).write(NEW);
    expect([read(), read(link), statSync(path).mode & 0o777]).toEqual(["new", "new", 0o640]);
    expect(readdirSync(folder)).toEqual(["Link.xlsx", "Model.xlsx"]);
  });

  it("gives its mode to a new file, and not to one that is there", () => {
    chmodSync(path, 0o640);
    const [fresh, there] = [join(folder, "Fresh.xlsx"), put("There.xlsx")];
    chmodSync(there, 0o604);
    for (const out of [fresh, there]) openBook(path).write(NEW, out);
    expect([fresh, there].map((each) => statSync(each).mode & 0o777)).toEqual([0o640, 0o604]);
  });

  it("keeps its other names' content", () => {
    linkSync(path, join(folder, "Second.xlsx"));
    openBook(path).write(NEW);
    expect([read(), read(join(folder, "Second.xlsx"))]).toEqual(["new", "old"]);
  });

  it("is refused where it is read-only, or is a link to nothing, or a link in a circle", () => {
    chmodSync(path, 0o444);
    const sentence = "DIR/Model.xlsx is read-only. Allow writing, or choose another file.";
    const book = openBook(path);
    for (const act of [() => book.check(), () => book.write(NEW)]) expect(refusal(act)).toBe(sentence);
    const link = join(folder, "Link.xlsx");
    symlinkSync("Gone.xlsx", link);
    expect(refusal(() => openBook(link))).toBe("DIR/Link.xlsx is a link to a file that is gone.");
    rmSync(link);
    symlinkSync("Link.xlsx", link);
    expect(refusal(() => openBook(link))).toBe("DIR/Link.xlsx is a link to a file that is gone.");
  });

  it("is refused in one sentence where the system gives no room, and stays as it was", () => {
    const folderOfSystem = "/proc/self"; // takes no file, whoever asks
    expect(refusal(() => replaceFile(join(folderOfSystem, "Out.xlsx"), NEW))).toMatch(
      /^\/proc\/self\/Out\.xlsx cannot be written: .*\.$/,
    );
    expect(read()).toBe("old");
  });
});

/** Makes a file in the folder, of any length without taking room. */
function put(name: string, length = 3): string {
  const at = join(folder, name);
  writeFileSync(at, "old");
  truncateSync(at, length);
  return at;
}
