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
 * Unpacks an answer: some providers and proxies pack without being asked.
 * @param encoding The header Content-Encoding.
 * @param largestBytes Limit of the result, since small inputs can unpack to very large ones.
 * @returns Undefined where it is larger, damaged or packed in another way.
 */
export async function unpack(
  bytes: Buffer,
  encoding: string | string[] | undefined,
  largestBytes: number,
): Promise<Buffer | undefined> {
  const unpacker = UNPACKERS.get(String(encoding ?? "identity").toLowerCase());
  return unpacker?.(bytes, { maxOutputLength: largestBytes }).catch(() => undefined);
}
