import messages from "./error-messages.json";

export type HostCode = keyof typeof messages;

/** An error that Excel answers a request with; its words are Excel's. */
export class HostError extends Error {
  readonly code: HostCode;

  constructor(code: HostCode) {
    super(messages[code]);
    this.code = code;
  }
}
