import { type HostCode, HostError } from "./errors";
import type { ExcelWorkbook } from "./workbook";

/** An object of Excel's API under its names in requests, which begin with a capital letter. */
export interface HostObject {
  /** The id by which its collection finds it again. */
  id?: string;
  read?: Readonly<Record<string, () => unknown>>;
  write?: Readonly<Record<string, (value: never) => void>>;
  /** Properties and methods that return an object; "" is the indexer, and null is Excel's null object. */
  open?: Readonly<Record<string, (...given: never[]) => HostObject | null>>;
  call?: Readonly<Record<string, (...given: never[]) => unknown>>;
  items?: () => HostObject[];
}

/** A member of the host that sets a property of its model, and nothing else. */
export const set =
  <Model, Name extends keyof Model>(model: Model, name: Name) =>
  (value: Model[Name]): void => {
    model[name] = value;
  };

interface Given {
  Arguments?: unknown[];
  ReferencedObjectPathIds?: unknown[];
}

interface ObjectPath {
  Id: number;
  ObjectPathType: number;
  Name: string;
  ParentObjectPathId?: number;
  ArgumentInfo?: Given;
}

interface Action {
  Id: number;
  ActionType: number;
  Name: string;
  ObjectPathId: number;
  ArgumentInfo?: Given;
  QueryInfo?: { Select?: string[] };
}

export interface WorkbookRequest {
  Actions: Action[];
  ObjectPaths: Record<string, ObjectPath>;
}

/** A part of Excel's API that the emulation does not have. */
class NotEmulated extends Error {
  readonly code = "ApiNotFound";

  constructor(part: string) {
    super(`Excel's ${part} is not emulated`);
  }
}

const PATH = { global: 1, reference: 6, nullObject: 7 };
const ACTION = { instantiate: 1, query: 2, method: 3, setProperty: 4, trace: 5 };

/**
 * Runs a request's actions in order until one fails; as in Excel, earlier actions stay in effect. A fault of the
 * emulation itself is thrown.
 */
export class RequestReader {
  readonly #root: HostObject;
  readonly #book: ExcelWorkbook;
  readonly #references = new Map<string, HostObject>();
  #lastReference = 0;

  constructor(root: HostObject, book: ExcelWorkbook) {
    this.#root = root;
    this.#book = book;
  }

  answer(request: WorkbookRequest): object {
    // Office.js releases ranges in a separate request that no caller waits for.
    if (!request.Actions.some(({ Name }) => Name === "_RemoveReference")) this.#book.requests += 1;
    if (this.#book.isBeingEdited) return toRefusal("InvalidOperationInCellEditMode");
    if (JSON.stringify(request).length > this.#book.payload) return toRefusal("RequestPayloadSizeLimitExceeded");
    const answer = this.#process(request);
    return JSON.stringify(answer).length > this.#book.payload ? toRefusal("ResponsePayloadSizeLimitExceeded") : answer;
  }

  #process({ Actions, ObjectPaths }: WorkbookRequest): object {
    const opened = new Map<number, HostObject | null>();
    const Results: object[] = [];
    const TraceIds: number[] = [];
    const open = (id: number) => this.#open(id, ObjectPaths, opened);
    for (const [index, action] of Actions.entries()) {
      try {
        if (action.ActionType === ACTION.trace) TraceIds.push(action.Id);
        else Results.push({ ActionId: action.Id, Value: this.#act(action, open) });
      } catch (error) {
        if (!(error instanceof HostError || error instanceof NotEmulated)) throw error;
        const { code: Code, message: Message } = error;
        return { Results, TraceIds, Error: { Code, Message, Location: action.Name, ActionIndex: index } };
      }
    }
    return { Results, TraceIds };
  }

  #act(action: Action, open: (id: number) => HostObject | null): unknown {
    const target = open(action.ObjectPathId);
    if (target === null) return null;
    const given = this.#give(action.ArgumentInfo, open);
    if (action.ActionType === ACTION.instantiate) return this.#identify(target);
    if (action.ActionType === ACTION.query) return this.#query(target, action.QueryInfo?.Select ?? []);
    if (action.ActionType === ACTION.setProperty) return find(target.write, action.Name)(given[0] as never);
    if (action.ActionType !== ACTION.method) throw new NotEmulated(`action ${action.ActionType}`);
    if (action.Name === "_KeepReference") return this.#reference(target);
    if (action.Name === "_RemoveReference") return void this.#references.delete(String(given[0]));
    return find(target.call, action.Name)(...(given as never[]));
  }

  /** Opens an object path once a request, so that a path that creates an object creates one. */
  #open(id: number, paths: WorkbookRequest["ObjectPaths"], opened: Map<number, HostObject | null>): HostObject | null {
    const known = opened.get(id);
    if (known !== undefined) return known;
    const path = paths[id];
    if (path === undefined) throw new Error(`there is no object path ${id}`);
    const open = (other: number) => this.#open(other, paths, opened);
    const object = this.#follow(path, open);
    opened.set(id, object);
    return object;
  }

  #follow(
    { ObjectPathType, Name, ParentObjectPathId, ArgumentInfo }: ObjectPath,
    open: (id: number) => HostObject | null,
  ) {
    if (ObjectPathType === PATH.global) return this.#root;
    if (ObjectPathType === PATH.nullObject) return null;
    if (ObjectPathType === PATH.reference) {
      const referenced = this.#references.get(Name);
      if (referenced === undefined) throw new HostError("ItemNotFound");
      return referenced;
    }
    const parent = open(ParentObjectPathId ?? 0);
    return parent === null ? null : find(parent.open, Name)(...(this.#give(ArgumentInfo, open) as never[]));
  }

  /** Resolves arguments that are objects; they come as the ids of their paths. */
  #give(
    { Arguments = [], ReferencedObjectPathIds = [] }: Given = {},
    open: (id: number) => HostObject | null,
  ): unknown[] {
    return Arguments.map((argument, index) => {
      const id = ReferencedObjectPathIds[index];
      return typeof id === "number" && id > 0 ? open(id) : argument;
    });
  }

  #reference(target: HostObject): void {
    this.#lastReference += 1;
    this.#references.set(`reference-${this.#lastReference}`, target);
  }

  #identify(target: HostObject): object {
    const reference = [...this.#references].find(([, referenced]) => referenced === target)?.[0];
    return { ...(target.id !== undefined && { Id: target.id }), ...(reference && { _ReferenceId: reference }) };
  }

  /** Reads "items/name" of a collection, or properties of a single object. */
  #query(target: HostObject, select: string[]): object {
    if (target.items === undefined) {
      const values = select.map((name) => [toWireName(name), find(target.read, toWireName(name))()]);
      return { ...this.#identify(target), ...Object.fromEntries(values) };
    }
    const names = select.map((path) => path.replace(/^items\//i, ""));
    return { _Items: target.items().map((item) => this.#query(item, names)) };
  }
}

const toRefusal = (code: HostCode) => ({ Error: { Code: code, Message: new HostError(code).message, Location: null } });

const toWireName = (name: string) => name.charAt(0).toUpperCase() + name.slice(1);

function find<Member>(members: Readonly<Record<string, Member>> | undefined, name: string): Member {
  const member = members?.[name];
  if (member === undefined) throw new NotEmulated(name || "indexer");
  return member;
}
