import { inflateSync, zipSync } from "fflate";

// The zip archive around a workbook's parts (APPNOTE.TXT of PKWARE), read by its directory at the end. Parts are
// unpacked when they are read; what is not changed is copied as it is packed.

const [LOCAL, CENTRAL, END, LOCATOR_64] = [0x04034b50, 0x02014b50, 0x06054b50, 0x07064b50];
const [LOCAL_BYTES, CENTRAL_BYTES, END_BYTES] = [30, 46, 22];
/** In place of a number that stands in the extra field of larger archives. */
const ELSEWHERE = 0xffffffff;
const LONGEST_COMMENT = 0xffff;
const DEFLATED = 8;
const FLAG_ENCRYPTED = 1;

/** A file in an archive. Places and sizes are bytes. */
export interface Entry {
  readonly path: string;
  readonly isEncrypted: boolean;
  readonly isDeflated: boolean;
  readonly crc: number;
  /** Packed. */
  readonly packedSize: number;
  /** Unpacked, as the archive says. */
  readonly size: number;
  /** Where it begins, with its own header, and where the next one or the directory does. */
  readonly start: number;
  end: number;
  /** Its record in the directory, and where that has the place in 64 bits, as those of larger archives do. */
  readonly record: Uint8Array;
  readonly largeStart: number | undefined;
}

/** A part's new content; without an entry it is a new part. */
export interface Change {
  readonly path: string;
  readonly content: Uint8Array;
  readonly entry: Entry | undefined;
}

const view = (bytes: Uint8Array) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/**
 * Lists what is in an archive, in the order of its directory.
 *
 * @throws Error for anything that is no whole archive
 */
export function readDirectory(bytes: Uint8Array): Entry[] {
  const data = view(bytes);
  const { count, start } = findDirectory(data);
  const entries: Entry[] = [];
  for (let at = start; entries.length < count; at += entries.at(-1)?.record.length ?? 0)
    entries.push(readRecord(bytes, at));
  const inOrder = entries.toSorted((one, other) => one.start - other.start);
  inOrder.forEach((entry, nth) => {
    entry.end = inOrder[nth + 1]?.start ?? start;
    if (findContent(data, entry) + entry.packedSize > entry.end) throw new Error("An entry runs into the next.");
  });
  return entries;
}

function findDirectory(data: DataView): { count: number; start: number } {
  const last = data.byteLength - END_BYTES;
  for (let at = last; at >= Math.max(0, last - LONGEST_COMMENT); at--) {
    if (data.getUint32(at, true) !== END) continue;
    if (at < 20 || data.getUint32(at - 20, true) !== LOCATOR_64)
      return { count: data.getUint16(at + 10, true), start: data.getUint32(at + 16, true) };
    const larger = readLarge(data, at - 12);
    return { count: readLarge(data, larger + 32), start: readLarge(data, larger + 48) };
  }
  throw new Error("No directory.");
}

const readLarge = (data: DataView, at: number) => Number(data.getBigUint64(at, true));

function readRecord(bytes: Uint8Array, at: number): Entry {
  const data = view(bytes);
  if (data.getUint32(at, true) !== CENTRAL) throw new Error("No record.");
  const [flags, method] = [data.getUint16(at + 8, true), data.getUint16(at + 10, true)];
  if (method !== 0 && method !== DEFLATED) throw new Error("Packed in another way.");
  const [name = 0, extra = 0, comment = 0] = [28, 30, 32].map((each) => data.getUint16(at + each, true));
  const names = at + CENTRAL_BYTES;
  const end = names + name + extra + comment;
  if (end > bytes.length) throw new Error("Cut off.");
  const { sizes, largeStart } = readSizes(data, at, names + name, names + name + extra);
  const [size = 0, packedSize = 0, start = 0] = sizes;
  return {
    path: new TextDecoder().decode(bytes.subarray(names, names + name)),
    isEncrypted: (flags & FLAG_ENCRYPTED) !== 0,
    isDeflated: method === DEFLATED,
    crc: data.getUint32(at + 16, true),
    ...{ packedSize, size, start, end: 0 },
    ...{ record: bytes.subarray(at, end), largeStart },
  };
}

/** The size, the packed size and the place of an entry; large ones stand in the extra field, in this order. */
function readSizes(data: DataView, at: number, extra: number, end: number) {
  const sizes = [24, 20, 42].map((each) => data.getUint32(at + each, true));
  let field = extra;
  while (field + 4 <= end && data.getUint16(field, true) !== 1) field += 4 + data.getUint16(field + 2, true);
  let next = field + 4;
  let largeStart: number | undefined;
  for (const [nth, size] of sizes.entries()) {
    if (size !== ELSEWHERE) continue;
    sizes[nth] = readLarge(data, next);
    if (nth === 2) largeStart = next - at;
    next += 8;
  }
  return { sizes, largeStart };
}

/** Where an entry's content begins, behind its own header. */
function findContent(data: DataView, { start }: Entry): number {
  if (data.getUint32(start, true) !== LOCAL) throw new Error("No entry.");
  return start + LOCAL_BYTES + data.getUint16(start + 26, true) + data.getUint16(start + 28, true);
}

/**
 * Unpacks an entry, in no more room than the archive names.
 *
 * @throws Error for content that is damaged
 */
export function readEntry(bytes: Uint8Array, entry: Entry): Uint8Array {
  const start = findContent(view(bytes), entry);
  const packed = bytes.subarray(start, start + entry.packedSize);
  const content = entry.isDeflated ? inflateSync(packed, { out: new Uint8Array(entry.size) }) : packed;
  if (content.length !== entry.size || checkSum(content) !== entry.crc) throw new Error("Damaged content.");
  return content;
}

const SUMS = Uint32Array.from({ length: 256 }, (_, byte) => {
  let sum = byte;
  for (let bit = 0; bit < 8; bit++) sum = sum & 1 ? (sum >>> 1) ^ 0xedb88320 : sum >>> 1;
  return sum;
});

/** The CRC-32 of bytes. */
function checkSum(bytes: Uint8Array): number {
  let sum = -1;
  // By number: an iterator takes several times as long.
  for (let at = 0; at < bytes.length; at++) sum = (SUMS[(sum ^ (bytes[at] as number)) & 0xff] as number) ^ (sum >>> 8);
  return ~sum >>> 0;
}

/** An archive with some contents changed; all others are copied as they are packed, and keep their order. */
export function rewrite(
  bytes: Uint8Array,
  entries: readonly Entry[],
  changes: readonly Change[],
): Uint8Array<ArrayBuffer> {
  const changed = new Map(changes.map((change) => [change.entry, change]));
  const inOrder = entries.toSorted((one, other) => one.start - other.start);
  const pieces = [bytes.subarray(0, inOrder[0]?.start ?? 0)];
  let length = pieces[0]?.length ?? 0;
  const records = new Map<Entry | Change, Uint8Array>();
  const add = (key: Entry | Change, from: Uint8Array, { start, end, record, largeStart }: Entry) => {
    const moved = record.slice();
    if (largeStart === undefined) view(moved).setUint32(42, length, true);
    else view(moved).setBigUint64(largeStart, BigInt(length), true);
    records.set(key, moved);
    pieces.push(from.subarray(start, end));
    length += end - start;
  };
  for (const entry of inOrder) {
    const change = changed.get(entry);
    if (change) add(entry, ...packChange(change));
    else add(entry, bytes, entry);
  }
  const added = changes.filter(({ entry }) => entry === undefined);
  for (const change of added) add(change, ...packChange(change));
  const directory = [...entries, ...added].flatMap((key) => records.get(key) ?? []);
  return concatenate([...pieces, ...directory, createEnd(directory, length)]);
}

/** The first day that the format knows, so that equal contents are packed equally. */
const SOME_DAY = "1980-01-01";

/** An archive of a new content alone, and its entry. */
function packChange({ path, content, entry }: Change): [archive: Uint8Array, entry: Entry] {
  const archive = zipSync({ [entry?.path ?? path]: [content, { mtime: SOME_DAY }] });
  return [archive, readDirectory(archive)[0] as Entry];
}

function createEnd(directory: readonly Uint8Array[], start: number): Uint8Array {
  const end = new Uint8Array(END_BYTES);
  const fields = view(end);
  const bytes = directory.reduce((sum, { length }) => sum + length, 0);
  fields.setUint32(0, END, true);
  fields.setUint16(8, directory.length, true);
  fields.setUint16(10, directory.length, true);
  fields.setUint32(12, bytes, true);
  fields.setUint32(16, start, true);
  return end;
}

function concatenate(pieces: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}
