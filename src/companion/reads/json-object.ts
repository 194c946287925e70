/** Reads what a text says as a JSON object, or an object with nothing in it. */
export function readJsonObject(text: Buffer | string | undefined): Record<string, unknown> {
  try {
    return Object(JSON.parse(String(text)));
  } catch {
    return {};
  }
}
