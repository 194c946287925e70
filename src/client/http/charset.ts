/** The charset that a content type declares, in quotes or not; UTF-8 in each of its spellings and where none is declared. */
export function readCharset(contentType: string): string {
  const [, charset = "utf-8"] = /charset\s*=\s*["']?([^\s;,"']+)/i.exec(contentType) ?? [];
  return /^utf-?8/i.test(charset) ? "utf-8" : charset;
}
