/** One result as it left the add-in: a value, or the host's number of an error with its text. */
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

/** What a cell makes of a value: the value itself, or an error with the text a person reads. */
export type CellOutcome = { value: unknown } | CellError;

export interface CellError {
  error: { code: string; message: string };
}

/** A result on the wire: id, ok, value or text, then the error's number of a failure; timing follows on newer hosts. */
type WireResult = [id: number, ok: boolean, value: unknown, errorCode?: number];

/** An error that travels as a value: alone, or as an element of a matrix. */
interface WireError {
  valueType: "CustomFunctionError";
  code: string;
  message?: string;
}

/** The host's numbers for the errors a function can ask for; every other one is an error nobody described. */
const ERROR_CODES: Record<number, string> = { 1: "#N/A", 5: "#DIV/0!", 6: "#NUM!", 7: "#VALUE!", 8: "#NULL!" };

/** Excel shows the text of these alone, by Microsoft's documentation; the others' crosses the bridge and ends there. */
const CODES_WITH_TEXT = ["#N/A", "#VALUE!"];

/** A result in the words of a cell, whichever of the two ways an error took; elements of a matrix likewise. */
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

function toElement(value: unknown): CellOutcome {
  return isWireError(value) ? { error: { code: value.code, message: value.message ?? "" } } : { value };
}

function isWireError(value: unknown): value is WireError {
  return (value as WireError | null)?.valueType === "CustomFunctionError";
}

export type DeliveryLog = ReturnType<typeof createDeliveryLog>;

/** Everything the add-in sent, and promises of what it will send: they settle in the message's own turn. */
export function createDeliveryLog() {
  const messagesSent: SentAction[][] = [];
  const deliveries = new Map<number, Delivery[]>();
  const taken = new Map<number, number>();
  const { when, look } = createWaitingRoom();
  const results = (invocationId: number): readonly Delivery[] => deliveries.get(invocationId) ?? [];
  const keep = ([invocationId, delivery]: [number, Delivery]) => {
    const list = deliveries.get(invocationId);
    if (list) list.push(delivery);
    else deliveries.set(invocationId, [delivery]);
  };
  const add = (actions: SentAction[]) => {
    messagesSent.push(actions);
    actions.flatMap(toDeliveries).forEach(keep);
    look();
  };
  const next = (invocationId: number) => {
    const position = taken.get(invocationId) ?? 0;
    taken.set(invocationId, position + 1);
    return when(() => results(invocationId)[position]);
  };
  const settled = (invocationIds: number[]) =>
    when(() => {
      if (!invocationIds.every((id) => deliveries.has(id))) return undefined;
      return invocationIds.map((id) => results(id).at(-1)!);
    });
  const isReady = (action: SentAction) => action.name === "_SetOsfControlContainerReadyForCustomFunctions";
  const ready = when(() => messagesSent.flat().find(isReady)).then(() => undefined);
  return { add, next, ready, results, settled, messagesSent };
}

/** Promises of values that are not there yet; each is looked for again whenever something arrived. */
function createWaitingRoom() {
  let waiting: (() => boolean)[] = [];
  const look = () => {
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
  return { when, look };
}

function toDeliveries(action: SentAction): [id: number, Delivery][] {
  if (action.name !== "SetInvocationArrayResults") return [];
  return (action.arguments[0] as WireResult[]).map(([id, ok, value, errorCode]) =>
    ok ? [id, { ok, value }] : [id, { ok, value: undefined, errorCode, message: String(value) }],
  );
}
