/** The failure of a call, with what to do about it. */
export class ToolError extends Error {
  override readonly name = "ToolError";
  constructor(
    readonly code: string,
    message: string,
    readonly cure: string,
  ) {
    super(message);
  }
}
