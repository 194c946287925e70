/** Excel's error messages by code. */
const MESSAGES = {
  AccessDenied: "You cannot perform the requested operation.",
  ApiNotFound: "The API you are trying to use could not be found.",
  GeneralException: "There was an internal error while processing the request.",
  InvalidArgument: "The argument is invalid or missing or has an incorrect format.",
  InvalidOperation: "This operation is not permitted for the current object.",
  InvalidOperationInCellEditMode:
    "Excel is in cell-editing mode. Please exit the edit mode by pressing ENTER or TAB or selecting another cell, and then try again.",
  InvalidSelection: "The current selection is invalid for this operation.",
  ItemAlreadyExists: "A resource with the same name or identifier already exists.",
  ItemNotFound: "The requested resource doesn't exist.",
  RequestPayloadSizeLimitExceeded: "The request payload size has exceeded the limit.",
  ResponsePayloadSizeLimitExceeded: "The response payload size has exceeded the limit.",
};

export type HostCode = keyof typeof MESSAGES;

/** An error that Excel answers a request with. */
export class HostError extends Error {
  readonly code: HostCode;

  constructor(code: HostCode) {
    super(MESSAGES[code]);
    this.code = code;
  }
}
