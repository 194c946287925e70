/** One result that the add-in sent: a value, or an error number with its text. */
export interface Delivery {
  ok: boolean;
  value: unknown;
  errorCode?: number;
  message?: string;
}

export interface SentAction {
  name: string;
  arguments: unknown[];
}

/** What a cell shows: a value, or an error with its text. */
export type CellOutcome = { value: unknown } | CellError;

export interface CellError {
  error: { code: string; message: string };
}

/** A result in a message: id, ok, value or text, then a failure's error number; newer hosts add timing. */
type WireResult = [id: number, ok: boolean, value: unknown, errorCode?: number];

/** An error sent as a value: alone, or as an element of a matrix. */
interface WireError {
  valueType: "CustomFunctionError";
  code: string;
  message?: string;
}

/** The error numbers a function can request; any other number is an error without a description. */
const ERROR_CODES: Record<number, string> = { 1: "#N/A", 5: "#DIV/0!", 6: "#NUM!", 7: "#VALUE!", 8: "#NULL!" };

/** Excel shows an error text for these alone (Microsoft: custom-functions-errors). */
const CODES_WITH_TEXT = ["#N/A", "#VALUE!"];

/** Converts a result into what its cell shows; an error may come as a failure or as a value. */
export function toOutcome(delivery: Delivery): CellOutcome {
  if (!delivery.ok) {
    const code = ERROR_CODES[delivery.errorCode ?? 0];
    const message = code && CODES_WITH_TEXT.includes(code) ? (delivery.message ?? "") : "";
    return { error: { code: code ?? "#VALUE!", message } };
  }
  if (!Array.isArray(delivery.value)) return toElement(delivery.value);
  const rows = delivery.value as unknown[][];
  return { value: rows.map((row) => row.map((element) => (isWireError(element) ? toElement(element) : element))) };
}

/** An outcome with each formatted number as the number that other formulas read. */
export function withoutFormats(outcome: CellOutcome): CellOutcome {
  if (!("value" in outcome) || !Array.isArray(outcome.value)) return outcome;
  const toPlain = (value: unknown) =>
    typeof value === "object" && value !== null && "basicValue" in value ? value.basicValue : value;
  return { value: (outcome.value as unknown[][]).map((row) => row.map(toPlain)) };
}

function toElement(value: unknown): CellOutcome {
  return isWireError(value) ? { error: { code: value.code, message: value.message ?? "" } } : { value };
}

function isWireError(value: unknown): value is WireError {
  return (value as WireError | null)?.valueType === "CustomFunctionError";
}

export type DeliveryLog = ReturnType<typeof createDeliveryLog>;

/** Records the messages of the add-in, with promises of results to come; they settle as the message arrives. */
export function createDeliveryLog() {
  const messagesSent: SentAction[][] = [];
  const deliveries = new Map<number, Delivery[]>();
  const nextPosition = new Map<number, number>();
  const { when, retry } = createPendingReads();
  const results = (invocationId: number): readonly Delivery[] => deliveries.get(invocationId) ?? [];
  const record = ([invocationId, delivery]: [number, Delivery]) => {
    const list = deliveries.get(invocationId);
    if (list) list.push(delivery);
    else deliveries.set(invocationId, [delivery]);
  };
  const add = (actions: SentAction[]) => {
    messagesSent.push(actions);
    actions.flatMap(toDeliveries).forEach(record);
    retry();
  };
  const next = (invocationId: number) => {
    const position = nextPosition.get(invocationId) ?? 0;
    nextPosition.set(invocationId, position + 1);
    return when(() => results(invocationId)[position]);
  };
  const settled = (invocationIds: number[]) =>
    when(() => {
      if (!invocationIds.every((id) => deliveries.has(id))) return undefined;
      return invocationIds.map((id) => results(id).at(-1)!);
    });
  const isReady = (action: SentAction) => action.name === "_SetOsfControlContainerReadyForCustomFunctions";
  const ready = when(() => messagesSent.flat().find(isReady)).then(() => undefined);
  return {
    add,
    /** The oldest result of the invocation that `next` has not returned yet, once it arrives. */
    next,
    /** Settled when the add-in has reported its functions ready. */
    ready,
    results,
    /** The latest result of each invocation, once every one has a result. */
    settled,
    /** The actions of the messages the add-in sent, one list a message. */
    messagesSent,
  };
}

/** Promises that resolve once their read gives a value; `retry` reads again. */
function createPendingReads() {
  let waiting: (() => boolean)[] = [];
  const retry = () => {
    waiting = waiting.filter((attempt) => !attempt());
  };
  const when = <T>(read: () => T | undefined) =>
    new Promise<T>((resolve) => {
      const attempt = () => {
        const value = read();
        if (value !== undefined) resolve(value);
        return value !== undefined;
      };
      if (!attempt()) waiting.push(attempt);
    });
  return { when, retry };
}

function toDeliveries(action: SentAction): [id: number, Delivery][] {
  if (action.name !== "SetInvocationArrayResults") return [];
  return (action.arguments[0] as WireResult[]).map(([id, ok, value, errorCode]) =>
    ok ? [id, { ok, value }] : [id, { ok, value: undefined, errorCode, message: String(value) }],
  );
}
