import type { DeliveryLog, SentAction } from "./deliveries";
import type { WorkbookRequest } from "./requests";

/** One call of a custom function, as the host would make it. */
export interface FunctionCall {
  functionName: string;
  parameters: unknown[];
  stream?: boolean;
  cancelable?: boolean;
  /** The function accepts errors inside parameters (functions.json: allowErrorForDataTypeAny). */
  allowErrors?: boolean;
  /** Parameters may be data types, each as `{ value: "<JSON>" }`. */
  richData?: boolean;
  address?: string;
}

export type CallOptions = Omit<FunctionCall, "functionName" | "parameters">;

export type HostSide = ReturnType<typeof createHostSide>;

interface HostSideOptions {
  log: DeliveryLog;
  /** Gets each fault of the emulation, and of the add-in's own handling of a message; the test must fail by it. */
  fail: (error: unknown) => void;
  /** Sends a message of the host to the add-in. */
  post: (text: string) => Promise<void> | void;
  /** Answers the requests of Excel.run; default: every action succeeds without a value. */
  answerWorkbook?: (request: WorkbookRequest) => object;
  /** Called when the add-in opens or hides its pane; default nothing happens. */
  onPaneWanted?: (isOpen: boolean) => void;
  /** The person's keys by action, which Excel tells; default none. */
  shortcuts?: Readonly<Record<string, string | null>>;
}

const FLAG = { cancelable: 1, stream: 2, allowErrors: 4, richData: 8 } as const;
const MESSAGE = {
  call: 1000,
  cancel: 1001,
  selectionChanged: 2,
  cellsChanged: 10,
  visibilityChanged: 65_539,
  action: 1000,
} as const;
const CATEGORY = { customFunction: 1, action: 2, event: 65_536 } as const;
const ENABLED_FEATURES = [1, 2, 3, 4];

/** The object path type of the custom-functions runtime's own requests, which do not concern the workbook. */
const NEW_OBJECT = 2;
const TRACE = 5;

type RequestAction = WorkbookRequest["Actions"][number];

/** Creates desktop Excel's side of the message bridge; the add-in's side runs in a vm or in a browser. */
export function createHostSide({ log, fail, post, answerWorkbook, onPaneWanted, shortcuts }: HostSideOptions) {
  let lastInvocationId = 0;
  const send = async (messageType: number, messages: unknown[], messageCategory: number = CATEGORY.customFunction) => {
    const entries = messages.map((message) => ({ messageCategory, messageType, targetId: "", message, id: "0" }));
    try {
      await post(JSON.stringify({ type: 3, message: { entries } }));
    } catch (error) {
      fail(error);
    }
  };
  const tryAnswer = (answer: (request: WorkbookRequest) => object, request: WorkbookRequest): object => {
    try {
      return answer(request);
    } catch (error) {
      fail(error);
      return { Error: { Code: "GeneralException", Message: String(error), Location: null } };
    }
  };
  return {
    /** Answers a message of the add-in. */
    answer(text: string): string {
      const { id, message } = JSON.parse(text) as { id: string; message: { body?: string | WorkbookRequest } };
      const body: WorkbookRequest = typeof message.body === "string" ? JSON.parse(message.body) : message.body;
      const { Actions = [], ObjectPaths = {} } = body ?? {};
      log.add(Actions.flatMap(toSentAction));
      for (const state of Actions.flatMap(toPaneState)) onPaneWanted?.(state === "Visible");
      const isOfWorkbook = !Object.values(ObjectPaths).some(({ ObjectPathType }) => ObjectPathType === NEW_OBJECT);
      const reply =
        isOfWorkbook && answerWorkbook
          ? tryAnswer(answerWorkbook, body)
          : { Results: Actions.flatMap((action) => toResult(action, { ...shortcuts })) };
      const answer = { statusCode: 200, headers: {}, body: JSON.stringify(reply) };
      return JSON.stringify({ id, type: 2, message: answer });
    },
    /** Makes all the calls in one message. */
    callMany(calls: FunctionCall[]): number[] {
      const messages = calls.map((call) => ({ ...toCallMessage(call), invocationId: ++lastInvocationId }));
      void send(MESSAGE.call, messages);
      return messages.map((message) => message.invocationId);
    },
    /** Cancels in one message. */
    cancel(...invocationIds: number[]) {
      const messages = invocationIds.map((invocationId) => ({ invocationId }));
      void send(MESSAGE.cancel, messages);
    },
    /** Notifies the add-in of a new selection; settled when its handlers have run. */
    notifySelection: () => send(MESSAGE.selectionChanged, ["{}"], CATEGORY.event),
    notifyEdit: () => send(MESSAGE.cellsChanged, ["{}"], CATEGORY.event),
    /** Runs an action by its keyboard shortcut, which passes no event. */
    pressShortcut: (action: string) => send(MESSAGE.action, [[action]], CATEGORY.action),
    notifyVisibility: (visibility: "Visible" | "Hidden") =>
      send(MESSAGE.visibilityChanged, [JSON.stringify({ visibility })], CATEGORY.event),
  };
}

/** The state that `Office.addin.showAsTaskpane` and `Office.addin.hide` set: "Visible" or "Background". */
const toPaneState = ({ Name, ArgumentInfo }: RequestAction): unknown[] =>
  Name === "SetAppRuntimeState" ? [ArgumentInfo?.Arguments?.[0]] : [];

/** A request for the enabled features has a result, and a marker that those before it succeeded, as of a new event handler. */
function toResult({ Id, Name, ActionType }: RequestAction, shortcuts: object): object[] {
  if (ActionType === TRACE) return [{ ActionId: Id, Value: null }];
  if (Name === "GetShortcuts") return [{ ActionId: Id, Value: shortcuts }];
  return Name === "_GetEnabledFeatures" ? [{ ActionId: Id, Value: ENABLED_FEATURES }] : [];
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
