import { strFromU8, strToU8, unzipSync, zipSync } from "fflate";

/** Why a file is not opened. */
export type Refusal = "damaged" | "large" | "old" | "protected";

/** A file that is no workbook that this page can open. */
export class XlsxRefused extends Error {
  constructor(readonly reason: Refusal) {
    super(`The file is refused: ${reason}.`);
  }
}

/** The largest file, packed. */
export const LARGEST_BYTES = 25 * 1024 * 1024;
/** The most that a file may unpack to: a workbook of the largest size, and far from what a tab can hold. */
const LARGEST_UNPACKED_BYTES = 200 * 1024 * 1024;
const MOST_PARTS = 5_000;
const PARTS = /\.(xml|rels)$/i;
const IMAGES = /media\/image.*\.(png|jpe?g|gif|webp|bmp)$/i;

/** The parts of a workbook: XML by path, and images as the engine takes them. */
export type Parts = Record<string, string | { imageSrc: string }>;

/**
 * Unpacks a workbook.
 *
 * @throws XlsxRefused for anything that is none, or is too large
 */
export function unpack(bytes: Uint8Array): Parts {
  if (bytes.length > LARGEST_BYTES) throw new XlsxRefused("large");
  refuseOlderFormats(bytes);
  const files = unzip(bytes);
  const parts: Parts = {};
  for (const [path, content] of Object.entries(files)) {
    parts[path] = PARTS.test(path) ? readXml(content) : { imageSrc: toDataUrl(path, content) };
  }
  return parts;
}

function unzip(bytes: Uint8Array): Record<string, Uint8Array> {
  let [left, count] = [LARGEST_UNPACKED_BYTES, 0];
  try {
    return unzipSync(bytes, {
      // The unpacker gives each part the room that the archive names here, and no more.
      filter({ name, originalSize }) {
        if (!PARTS.test(name) && !IMAGES.test(name)) return false;
        left -= originalSize;
        count++;
        if (left < 0 || count > MOST_PARTS) throw new XlsxRefused("large");
        return true;
      },
    });
  } catch (error) {
    throw error instanceof XlsxRefused ? error : new XlsxRefused("damaged");
  }
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

/** Workbooks have no document type; one could expand without end. */
function readXml(content: Uint8Array): string {
  const isWide = (content[0] === 0xff && content[1] === 0xfe) || (content[0] === 0xfe && content[1] === 0xff);
  const encoding = isWide ? (content[0] === 0xff ? "utf-16le" : "utf-16be") : "utf-8";
  const text = new TextDecoder(encoding).decode(content);
  if (/<!DOCTYPE/i.test(text)) throw new XlsxRefused("damaged");
  return text;
}

function toDataUrl(path: string, content: Uint8Array): string {
  const extension = path.split(".").at(-1)?.toLowerCase();
  return `data:image/${extension === "jpg" ? "jpeg" : extension};base64,${btoa(strFromU8(content, true))}`;
}

/** The bytes of an image, which the page's policy lets no script fetch by such an address. */
export function fromDataUrl(address: string): Uint8Array {
  return strToU8(atob(address.slice(address.indexOf(",") + 1)), true);
}

/** Packs parts into a file. Texts are XML; anything else are bytes. */
export function pack(parts: ReadonlyMap<string, string | Uint8Array>): Uint8Array<ArrayBuffer> {
  const files = [...parts].map(([path, part]) => [path, typeof part === "string" ? strToU8(part) : part] as const);
  return zipSync(Object.fromEntries(files)) as Uint8Array<ArrayBuffer>;
}
