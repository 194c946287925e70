import type { DeliveryLog, SentAction } from "./office-deliveries";

/** One call of a custom function, as the host would make it. */
export interface FunctionCall {
  functionName: string;
  parameters: unknown[];
  stream?: boolean;
  cancelable?: boolean;
  /** Errors inside the parameters are handed over (functions.json: allowErrorForDataTypeAny). */
  allowErrors?: boolean;
  /** Parameters may be data types, each as `{ value: "<JSON>" }`. */
  richData?: boolean;
  address?: string;
}

export type CallOptions = Omit<FunctionCall, "functionName" | "parameters">;

/** Desktop Excel's side of the bridge, in messages of text: the add-in's side may run in a vm or in a browser. */
export interface HostSide {
  /** Answers a message of the add-in. */
  answer(text: string): string;
  /** Makes all the calls in one message. */
  callMany(calls: FunctionCall[]): number[];
  /** Cancels in one message. */
  cancel(...invocationIds: number[]): void;
}

export interface HostSideOptions {
  log: DeliveryLog;
  /** Hands a message of the host to the add-in. */
  post: (text: string) => void;
  /** The value of a workbook function that the add-in calls through Excel.run; default none is known. */
  compute?: (functionName: string, parameters: unknown[]) => unknown;
}

interface ObjectPath {
  Name?: string;
  ArgumentInfo?: { Arguments?: unknown[] };
}

interface RequestAction extends ObjectPath {
  Id: number;
  ObjectPathId: number;
  /** Of an action that reads properties. */
  QueryInfo?: object;
}

interface RequestBody {
  Actions?: RequestAction[];
  ObjectPaths?: Record<number, ObjectPath>;
}

const FLAG = { cancelable: 1, stream: 2, allowErrors: 4, richData: 8 } as const;
const MESSAGE = { call: 1000, cancel: 1001 } as const;
const ENABLED_FEATURES = [1, 2, 3, 4];

/** Plays Excel as far as the add-in needs it: every action succeeds. */
export function createHostSide({ log, post, compute }: HostSideOptions): HostSide {
  let lastInvocationId = 0;
  const send = (messageType: number, messages: object[]) => {
    const entries = messages.map((message) => ({ messageCategory: 1, messageType, targetId: "", message, id: "0" }));
    post(JSON.stringify({ type: 3, message: { entries } }));
  };
  return {
    answer(text) {
      const { id, message } = JSON.parse(text) as { id: string; message: { body?: string | RequestBody } };
      const body: RequestBody | undefined = typeof message.body === "string" ? JSON.parse(message.body) : message.body;
      const { Actions = [], ObjectPaths = {} } = body ?? {};
      log.add(Actions.flatMap(toSentAction));
      const Results = Actions.flatMap((action) => {
        const Value = toValue(action, ObjectPaths[action.ObjectPathId], compute);
        return Value === undefined ? [] : [{ ActionId: action.Id, Value }];
      });
      const answer = { statusCode: 200, headers: {}, body: JSON.stringify({ Results }) };
      return JSON.stringify({ id, type: 2, message: answer });
    },
    callMany(calls) {
      const messages = calls.map((call) => ({ ...toCallMessage(call), invocationId: ++lastInvocationId }));
      send(MESSAGE.call, messages);
      return messages.map((message) => message.invocationId);
    },
    cancel(...invocationIds) {
      const messages = invocationIds.map((invocationId) => ({ invocationId }));
      send(MESSAGE.cancel, messages);
    },
  };
}

/** Only the enabled features and a workbook function's result have a value to tell. */
function toValue(action: RequestAction, path: ObjectPath | undefined, compute: HostSideOptions["compute"]): unknown {
  if (action.Name === "_GetEnabledFeatures") return ENABLED_FEATURES;
  if (!action.QueryInfo || !compute || path?.Name === undefined) return undefined;
  return { Value: compute(path.Name, path.ArgumentInfo?.Arguments ?? []) };
}

function toCallMessage({ functionName, parameters, address, ...call }: FunctionCall) {
  const names = Object.keys(FLAG) as (keyof typeof FLAG)[];
  const flags = names.reduce((sum, name) => sum | (call[name] ? FLAG[name] : 0), 0);
  return { functionName, parameterValues: parameters, address, flags };
}

/** An action without a name only creates the object that the next ones address. */
function toSentAction({ Name, ArgumentInfo }: RequestAction): SentAction[] {
  return Name ? [{ name: Name, arguments: ArgumentInfo?.Arguments ?? [] }] : [];
}
