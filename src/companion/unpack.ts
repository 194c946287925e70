import { promisify } from "node:util";
import { brotliDecompress, unzip, type ZlibOptions } from "node:zlib";

type Unpacker = (bytes: Buffer, options: ZlibOptions) => Promise<Buffer>;

const toAny: Unpacker = promisify(unzip);
const UNPACKERS = new Map<string, Unpacker>([
  ["identity", async (bytes) => bytes],
  ["gzip", toAny],
  ["deflate", toAny],
  ["br", promisify(brotliDecompress)],
]);

/**
 * Unpacks an answer: some providers, and what stands before them, pack without being asked.
 * @param encoding The header Content-Encoding.
 * @param largestBytes Of what comes out, since little can unpack to very much.
 * @returns Nothing when it is larger, damaged or packed in another way.
 */
export async function unpack(
  bytes: Buffer,
  encoding: string | string[] | undefined,
  largestBytes: number,
): Promise<Buffer | undefined> {
  const unpacker = UNPACKERS.get(String(encoding ?? "identity").toLowerCase());
  return unpacker?.(bytes, { maxOutputLength: largestBytes }).catch(() => undefined);
}
