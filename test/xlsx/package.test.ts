import { describe, expect, it } from "@jest/globals";
import { strFromU8, strToU8, unzipSync, zipSync } from "fflate";
import { LIMITS_OF_PROGRAM, type Limits, openPackage, packParts, XlsxRefused } from "../../src/xlsx/package";

const FILE = zipSync({
  "a.xml": strToU8("<a/>"),
  "xl/Sheet Ä.xml": strToU8("<b>1</b>"),
  "xl/media/image1.png": [Uint8Array.of(1, 2, 3), { level: 0 }],
}) as Uint8Array<ArrayBuffer>;

/** CRC-32. */
const SUMS = { "<a/>": 30481620, "<b/>": 60269197 };

const refusal = (read: () => unknown) => {
  try {
    read();
  } catch (error) {
    return error instanceof XlsxRefused ? error.reason : error;
  }
  return "opened";
};

/** Changes a number of 32 bits in each record of an archive's directory. */
function change(file: Uint8Array, at: number, value: number): Uint8Array {
  const view = new DataView(file.buffer, file.byteOffset);
  for (let start = 0; start + 28 < file.length; start++)
    if (view.getUint32(start, true) === 0x02014b50) view.setUint32(start + at, value, true);
  return file;
}

/** What lies between the local header of an entry and the next, by path. */
function readRaw(file: Uint8Array): Record<string, string> {
  const view = new DataView(file.buffer, file.byteOffset);
  const raw: Record<string, string> = {};
  const starts = [...file.keys()].filter((at) => at + 4 <= file.length && view.getUint32(at, true) === 0x04034b50);
  const directory = [...file.keys()].find((at) => view.getUint32(at, true) === 0x02014b50) ?? 0;
  starts.forEach((start, nth) => {
    const name = strFromU8(file.subarray(start + 30, start + 30 + view.getUint16(start + 26, true)));
    raw[name] = Buffer.from(file.subarray(start, starts[nth + 1] ?? directory)).toString("hex");
  });
  return raw;
}

/** Stored parts, written as by a program that streams: sizes behind each, and the directory's in fields of 64 bits. */
function toStreamed(): Uint8Array {
  const [entries, records]: [Buffer[], Buffer[]] = [[], []];
  for (const [name, text] of [
    ["a.xml", "<a/>"],
    ["b.xml", "<b/>"],
  ] as const) {
    const start = entries.reduce((sum, { length }) => sum + length, 0);
    const header = Buffer.alloc(30 + name.length + text.length + 16);
    header.writeUInt32LE(0x04034b50, 0);
    header.writeUInt16LE(8, 6);
    header.writeUInt16LE(name.length, 26);
    header.write(name + text, 30);
    header.writeUInt32LE(0x08074b50, header.length - 16);
    header.writeUInt32LE(SUMS[text], header.length - 12);
    header.writeUInt32LE(text.length, header.length - 8);
    header.writeUInt32LE(text.length, header.length - 4);
    entries.push(header);
    const record = Buffer.alloc(46 + name.length + 28);
    record.writeUInt32LE(0x02014b50, 0);
    record.writeUInt16LE(8, 8);
    record.writeUInt32LE(SUMS[text], 16);
    for (const at of [20, 24, 42]) record.writeUInt32LE(0xffffffff, at);
    record.writeUInt16LE(name.length, 28);
    record.writeUInt16LE(28, 30);
    record.write(name, 46);
    record.writeUInt16LE(1, 46 + name.length);
    record.writeUInt16LE(24, 48 + name.length);
    [text.length, text.length, start].forEach((each, nth) => {
      record.writeBigUInt64LE(BigInt(each), 50 + name.length + 8 * nth);
    });
    records.push(record);
  }
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(2, 8);
  end.writeUInt16LE(2, 10);
  end.writeUInt32LE(Buffer.concat(records).length, 12);
  end.writeUInt32LE(Buffer.concat(entries).length, 16);
  return Uint8Array.from(Buffer.concat([...entries, ...records, end]));
}

describe("a package", () => {
  it("has its parts by path, without case, percent-decoded, and from its beginning", () => {
    const pack = openPackage(FILE);
    expect(pack.paths).toEqual(["a.xml", "xl/Sheet Ä.xml", "xl/media/image1.png"]);
    const same = ["xl/Sheet Ä.xml", "XL/sheet ä.xml", "/xl/Sheet%20%C3%84.xml", "xl\\Sheet Ä.xml"];
    expect(same.map((path) => pack.readText(path))).toEqual(same.map(() => "<b>1</b>"));
    expect(pack.readBytes("xl/media/image1.png")).toEqual(Uint8Array.of(1, 2, 3));
    expect([pack.readText("b.xml"), pack.readBytes("b.xml")]).toEqual([undefined, undefined]);
  });

  it("is packed again with the bytes that it had, where nothing was written", () => {
    expect(openPackage(FILE).pack()).toEqual(FILE);
  });

  it("has a new text where one was written, and else the packed bytes that it had", () => {
    const pack = openPackage(FILE);
    pack.write("XL/Sheet%20Ä.xml", "<b>日本</b>");
    pack.write("xl/new.xml", "<n/>");
    expect([pack.readText("xl/Sheet Ä.xml"), pack.readText("xl/new.xml")]).toEqual(["<b>日本</b>", "<n/>"]);
    const [before, after] = [readRaw(FILE), readRaw(pack.pack())];
    expect([...Object.keys(before), "xl/new.xml"]).toEqual(Object.keys(after));
    expect([after["a.xml"], after["xl/media/image1.png"]]).toEqual([before["a.xml"], before["xl/media/image1.png"]]);
    const texts = Object.entries(unzipSync(pack.pack())).map(([path, bytes]) => [path, strFromU8(bytes)]);
    expect(Object.fromEntries(texts)).toMatchObject({ "xl/Sheet Ä.xml": "<b>日本</b>", "xl/new.xml": "<n/>" });
    expect(openPackage(pack.pack()).readText("xl/sheet ä.xml")).toBe("<b>日本</b>");
  });

  it.each([
    ["UTF-8 with a mark", [0xef, 0xbb, 0xbf, ...strToU8("<a>é</a>")], [0xef, 0xbb, 0xbf, ...strToU8("<a>日</a>")]],
    [
      "UTF-16",
      [0xff, 0xfe, ...Buffer.from("<a>é</a>", "utf16le")],
      [0xff, 0xfe, ...Buffer.from("<a>日</a>", "utf16le")],
    ],
    [
      "UTF-16 from the other end",
      [0xfe, 0xff, ...Buffer.from("<a>é</a>", "utf16le").swap16()],
      [0xfe, 0xff, ...Buffer.from("<a>日</a>", "utf16le").swap16()],
    ],
    ["UTF-16 without a mark", [...Buffer.from("<a>é</a>", "utf16le")], [...Buffer.from("<a>日</a>", "utf16le")]],
  ])("reads %s, and writes it", (_, before, after) => {
    const pack = openPackage(zipSync({ "a.xml": Uint8Array.from(before) }));
    expect(pack.readText("a.xml")).toBe("<a>é</a>");
    pack.write("a.xml", "<a>日</a>");
    expect(unzipSync(pack.pack())["a.xml"]).toEqual(Uint8Array.from(after));
  });

  it("reads and keeps archives with the sizes behind the contents, and with fields of larger archives", () => {
    const pack = openPackage(toStreamed());
    expect([pack.readText("a.xml"), pack.readText("b.xml")]).toEqual(["<a/>", "<b/>"]);
    pack.write("b.xml", "<changed/>");
    const again = openPackage(pack.pack());
    expect([again.readText("a.xml"), again.readText("b.xml")]).toEqual(["<a/>", "<changed/>"]);
  });

  it("is made of parts", () => {
    const bytes = packParts(
      new Map<string, string | Uint8Array>([
        ["a.xml", "<é/>"],
        ["b", Uint8Array.of(7)],
      ]),
    );
    expect([openPackage(bytes).readText("a.xml"), openPackage(bytes).readBytes("b")]).toEqual([
      "<é/>",
      Uint8Array.of(7),
    ]);
  });
});

describe("a file that is refused", () => {
  const wide = (text: string) => [...text].flatMap((letter) => [letter.charCodeAt(0), 0]);
  const ole = (stream: string) => Uint8Array.from([0xd0, 0xcf, 0x11, 0xe0, ...Array(40).fill(0), ...wide(stream)]);

  it.each<[string, () => Uint8Array, string]>([
    ["no archive", () => strToU8("a,b,c"), "damaged"],
    ["an empty file", () => new Uint8Array(), "damaged"],
    ["a file cut off", () => FILE.slice(0, FILE.length - 30), "damaged"],
    ["a file without its beginning", () => FILE.slice(40), "damaged"],
    ["a workbook of Excel 97 to 2003", () => ole("Workbook"), "old"],
    ["a workbook with a password", () => ole("EncryptedPackage"), "protected"],
    ["an archive with a password", () => change(FILE.slice(), 8, 0x00080001), "protected"],
    ["parts that are packed in another way", () => change(FILE.slice(), 8, 0x000c0000), "damaged"],
    ["parts that lie in one another", () => change(FILE.slice(), 42, 0), "damaged"],
    ["parts that are larger than the file", () => change(FILE.slice(), 20, 1_000_000), "damaged"],
    ["more than 25 MB", () => new Uint8Array(25 * 1024 * 1024 + 1), "large"],
    ["an archive that unpacks to more than a tab holds", () => change(FILE.slice(), 24, 101 << 20), "large"],
  ])("is one with %s", (_, create, reason) => {
    expect(refusal(() => openPackage(create()))).toBe(reason);
  });

  it("opens up to that, and a program takes larger ones", () => {
    const open = (limits: Limits) => refusal(() => openPackage(FILE, limits));
    const large = change(FILE.slice(), 24, 101 << 20);
    expect(refusal(() => openPackage(large, LIMITS_OF_PROGRAM))).toBe("opened");
    const limits = { bytes: FILE.length, unpackedBytes: 15, parts: 3 };
    expect(open(limits)).toBe("opened");
    const less = Object.entries(limits).map(([name, value]) => open({ ...limits, [name]: value - 1 }));
    expect(less).toEqual(["large", "large", "large"]);
  });

  it.each<[string, () => Uint8Array]>([
    ["a sum that does not fit", () => change(FILE.slice(), 16, 1)],
    ["more content than the archive says", () => change(FILE.slice(), 24, 2)],
    ["less content than the archive says", () => change(FILE.slice(), 24, 1_000)],
    [
      "a document type",
      () => zipSync({ "a.xml": strToU8('<?xml version="1.0"?><!-- a -->\n<!DOCTYPE a [<!ENTITY b "c">]><a/>') }),
    ],
    ["bytes that are no text", () => zipSync({ "a.xml": Uint8Array.of(0x3c, 0x61, 0xff, 0x2f, 0x3e) })],
  ])("is one with %s, when the part is read", (_, create) => {
    const pack = openPackage(create());
    expect(refusal(() => pack.readText("a.xml"))).toBe("damaged");
  });
});
