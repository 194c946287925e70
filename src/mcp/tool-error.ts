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

/** The failure of a call whose arguments cannot be taken. */
export const toInvalid = (message: string, cure: string): ToolError =>
  new ToolError("FEED_ARGUMENT_INVALID", message, cure);
