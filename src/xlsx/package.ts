import { strToU8, zipSync } from "fflate";
import { readDirectory, readEntry, rewrite } from "./archive";

/** Why a file is not opened. */
export type Refusal = "damaged" | "large" | "old" | "protected";

/** A file that is no workbook that can be opened. */
export class XlsxRefused extends Error {
  constructor(readonly reason: Refusal) {
    super(`The file is refused: ${reason}.`);
  }
}

/** How large a file may be. */
export interface Limits {
  /** Of the file, packed. */
  readonly bytes: number;
  /** Of all its parts together, unpacked. */
  readonly unpackedBytes: number;
  readonly parts: number;
}

/** A workbook of the largest size that a page opens, and far from what a tab can hold. */
export const LIMITS_OF_PAGE: Limits = { bytes: 25 << 20, unpackedBytes: 200 << 20, parts: 5_000 };
/** For a program with memory of its own. */
export const LIMITS_OF_PROGRAM: Limits = { bytes: 200 << 20, unpackedBytes: 1_000 << 20, parts: 20_000 };

/** The parts of a workbook's file by path. Paths are compared as the format has it: without case, percent-decoded. */
export interface Package {
  readonly paths: readonly string[];
  /** @throws XlsxRefused for a part that is damaged, or has a document type */
  readText(path: string): string | undefined;
  /** @throws XlsxRefused for a part that is damaged */
  readBytes(path: string): Uint8Array | undefined;
  /** Replaces or adds a part; its text keeps the encoding that it had. */
  write(path: string, text: string): void;
  /** The file, in which all parts that were not written have the bytes that they had. */
  pack(): Uint8Array<ArrayBuffer>;
}

/**
 * Opens a workbook's file.
 *
 * @throws XlsxRefused for anything that is none, or is too large
 */
export function openPackage(bytes: Uint8Array, limits: Limits = LIMITS_OF_PAGE): Package {
  if (bytes.length > limits.bytes) throw new XlsxRefused("large");
  refuseOlderFormats(bytes);
  const entries = refuseDamage(() => readDirectory(bytes));
  const unpackedBytes = entries.reduce((sum, { size }) => sum + size, 0);
  if (entries.length > limits.parts || unpackedBytes > limits.unpackedBytes) throw new XlsxRefused("large");
  if (entries.some(({ isEncrypted }) => isEncrypted)) throw new XlsxRefused("protected");
  const byKey = new Map(entries.map((entry) => [toKey(entry.path), entry]));
  const written = new Map<string, { path: string; content: Uint8Array }>();
  const readBytes = (path: string) => {
    const key = toKey(path);
    const entry = byKey.get(key);
    return written.get(key)?.content ?? (entry && refuseDamage(() => readEntry(bytes, entry)));
  };
  return {
    paths: entries.map(({ path }) => path).filter((path) => !path.endsWith("/")),
    readBytes,
    readText(path) {
      const content = readBytes(path);
      return content && readXml(content);
    },
    write(path, text) {
      const encoding = findEncoding(readBytes(path) ?? new Uint8Array());
      written.set(toKey(path), { path, content: encode(text, encoding) });
    },
    pack() {
      const changes = [...written].map(([key, { path, content }]) => ({ path, content, entry: byKey.get(key) }));
      return rewrite(bytes, entries, changes);
    },
  };
}

function refuseDamage<Read>(read: () => Read): Read {
  try {
    return read();
  } catch {
    throw new XlsxRefused("damaged");
  }
}

function toKey(path: string): string {
  const plain = path.replaceAll("\\", "/").replace(/^\//, "");
  const isEncoded = /%[\da-f]{2}/i.test(plain);
  return (isEncoded ? refuseDamage(() => decodeURIComponent(plain)) : plain).toLowerCase();
}

const OLE = [0xd0, 0xcf, 0x11, 0xe0];
/** The stream of a file that a password protects, as the container's directory names it. */
const ENCRYPTED = [..."EncryptedPackage"].flatMap((letter) => [letter.charCodeAt(0), 0]);

/** Workbooks of Excel 97 to 2003, and those with a password, are containers of another kind. */
function refuseOlderFormats(bytes: Uint8Array): void {
  if (!OLE.every((byte, index) => bytes[index] === byte)) return;
  const isEncrypted = bytes.some(
    (byte, at) => byte === ENCRYPTED[0] && ENCRYPTED.every((each, index) => bytes[at + index] === each),
  );
  throw new XlsxRefused(isEncrypted ? "protected" : "old");
}

interface Encoding {
  readonly name: "utf-8" | "utf-16le" | "utf-16be";
  /** The mark at the beginning, where there is one. */
  readonly mark: readonly number[];
}

/** The encodings that the format has, by the bytes with which a part may begin. */
const ENCODINGS: readonly (readonly [beginning: readonly number[], Encoding])[] = [
  [[0xef, 0xbb, 0xbf], { name: "utf-8", mark: [0xef, 0xbb, 0xbf] }],
  [[0xff, 0xfe], { name: "utf-16le", mark: [0xff, 0xfe] }],
  [[0xfe, 0xff], { name: "utf-16be", mark: [0xfe, 0xff] }],
  [[0x3c, 0], { name: "utf-16le", mark: [] }],
  [[0, 0x3c], { name: "utf-16be", mark: [] }],
];

function findEncoding(content: Uint8Array): Encoding {
  const found = ENCODINGS.find(([beginning]) => beginning.every((byte, at) => content[at] === byte));
  return found?.[1] ?? { name: "utf-8", mark: [] };
}

/** A document type before the first element. Workbooks have none; one could expand without end. */
const DOCTYPE = /^(?:\s|<\?[\s\S]*?\?>|<!--[\s\S]*?-->)*<!DOCTYPE/i;

function readXml(content: Uint8Array): string {
  const text = refuseDamage(() => new TextDecoder(findEncoding(content).name, { fatal: true }).decode(content));
  if (DOCTYPE.test(text)) throw new XlsxRefused("damaged");
  return text;
}

function encode(text: string, { name, mark }: Encoding): Uint8Array {
  if (name === "utf-8") return mark.length === 0 ? strToU8(text) : strToU8(`\ufeff${text}`);
  const content = new Uint8Array(mark.length + 2 * text.length);
  content.set(mark);
  const view = new DataView(content.buffer, mark.length);
  for (let at = 0; at < text.length; at++) view.setUint16(2 * at, text.charCodeAt(at), name === "utf-16le");
  return content;
}

/** Packs parts into a new file. Texts are XML; anything else are bytes. */
export function packParts(parts: ReadonlyMap<string, string | Uint8Array>): Uint8Array<ArrayBuffer> {
  const files = [...parts].map(([path, part]) => [path, typeof part === "string" ? strToU8(part) : part] as const);
  return zipSync(Object.fromEntries(files)) as Uint8Array<ArrayBuffer>;
}
