/** Parses JSON, after a byte order mark, with which servers and editors may begin; undefined for any other text. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch {
    return undefined;
  }
}
