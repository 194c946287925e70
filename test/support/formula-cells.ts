import { jest } from "@jest/globals";
import * as errors from "../../src/client/errors";
import * as messages from "../../src/client/messages";
import type { createSession, Session } from "../../src/session/session";
import { installCustomFunctions, type Shown, toShown } from "../office/custom-functions";
import type { RequirementSets } from "../office/external";
import { createOfficeRuntime } from "../office/runtime";
import { readSignatures } from "./formula-signatures";

export type { Shown } from "../office/custom-functions";

/** The host's side of a cell with a streaming formula. */
export interface FormulaCell {
  readonly shown: readonly Shown[];
  /** The next result not yet read, once it arrives. */
  next(): Promise<Shown>;
  /** Cancels the formula, like a host when the cell is cleared. */
  cancel(): void;
}

export type Formulas = Awaited<ReturnType<typeof loadFormulas>>;

/** A formula's name as typed after "FEED.", such as "RANKING.PAGES". */
type FormulaName = string;
type Formula = (...parameters: unknown[]) => void;

/** Installs the genuine Office of a host for formulas loaded afterwards. */
export async function installOffice(requirementSets: RequirementSets): Promise<void> {
  const runtime = createOfficeRuntime({ origin: "http://localhost", requirementSets });
  await runtime.ready;
  Object.assign(globalThis, { Office: runtime.evaluate("Office") });
  runtime.dispose();
}

/** The sources as one page loads them, with the page's session. */
interface Sources {
  /** The host they have detected. */
  office: unknown;
  current: { session: Session };
  creation: { createSession: typeof createSession };
  formulas: ReadonlyMap<FormulaName, Formula>;
}

/** Sources of closed pages: reloading them costs more than most formulas do. */
const spare = new Set<Sources>();

/** Loads the formulas as a page at `origin` does, with its own session and unshared sources. */
export async function loadFormulas(origin: string) {
  installCustomFunctions();
  Object.assign(globalThis, { location: { origin } });
  const sources = await takeSources();
  const session = createCurrent(sources);
  sources.current.session = session;
  session.formulas.offer(Object.fromEntries(sources.formulas));
  const open = (name: FormulaName, parameters: unknown[], isInValuePreview: boolean): FormulaCell => {
    const formula = sources.formulas.get(name);
    if (formula === undefined) throw new Error(`There is no formula ${name}.`);
    const cell = createCell(isInValuePreview);
    const padded = Array.from({ length: formula.length - 1 }, (_, index) => parameters[index] ?? null);
    formula(...padded, cell.invocation);
    return cell;
  };
  return {
    session,
    /** Types a formula into a cell: `type("FINANCIAL", [[id]], [[2023]], [["Revenue"]])`; omitted arguments are null. */
    type: (name: FormulaName, ...parameters: unknown[]) => open(name, parameters, false),
    /** The same in a value preview. */
    preview: (name: FormulaName, ...parameters: unknown[]) => open(name, parameters, true),
    close: (): void => {
      session.feed.queryCache.close();
      spare.add(sources);
    },
  };
}

/**
 * Loads a page's scripts as separate modules, lazy scripts of formulas included.
 *
 * @param load requires them, and gives their session
 */
export async function isolatePage(load: () => Session): Promise<Session> {
  let session = {} as Session;
  await jest.isolateModulesAsync(async () => {
    session = load();
    await Promise.all(readSignatures().map(({ name }) => session.formulas.listQueries(name, [])));
  });
  return session;
}

/** Sources detect a host's abilities once, so only those of the same host are reusable. */
async function takeSources(): Promise<Sources> {
  const { Office: office } = globalThis as { Office?: unknown };
  const sources = [...spare].find((each) => each.office === office) ?? (await loadSources(office));
  spare.delete(sources);
  return sources;
}

/** Loads the lazy scripts of formulas too: loaded later, they would come from other module instances. */
async function loadSources(office: unknown): Promise<Sources> {
  const formulas = new Map<FormulaName, Formula>();
  const current = {} as Sources["current"];
  let creation = {} as Sources["creation"];
  jest.doMock("../../src/session/current", () => current);
  // A script loaded on demand is a separate module, whose errors and messages must still be recognised.
  jest.doMock("../../src/client/errors", () => errors);
  jest.doMock("../../src/client/messages", () => messages);
  await jest.isolateModulesAsync(async () => {
    creation = require("../../src/session/session");
    const { createPorts } = require("../../src/client/ports");
    current.session = creation.createSession({ ports: createPorts(), companionUrl: "http://localhost" });
    for (const { name, file, implementation } of readSignatures()) formulas.set(name, require(file)[implementation]);
    await Promise.all([...formulas.values()].map(preview));
    current.session.feed.queryCache.close();
  });
  jest.dontMock("../../src/session/current");
  jest.dontMock("../../src/client/errors");
  jest.dontMock("../../src/client/messages");
  return { office, current, creation, formulas };
}

/** The session of a newly opened page, created by its sources. */
function createCurrent({ creation }: Sources): Session {
  let current = {} as Sources["current"];
  jest.doMock("../../src/session/session", () => creation);
  jest.isolateModules(() => {
    current = require("../../src/session/current");
  });
  jest.dontMock("../../src/session/session");
  return current.session;
}

/** Types a formula without arguments, and waits for its error. */
function preview(formula: Formula): Promise<Shown> {
  const cell = createCell(true);
  formula(...Array.from({ length: formula.length - 1 }, () => null), cell.invocation);
  return cell.next();
}

function createCell(isInValuePreview: boolean) {
  const shown: Shown[] = [];
  let taken = 0;
  let notify = () => {};
  const invocation = {
    isInValuePreview,
    onCanceled: () => {},
    setResult(value: unknown) {
      shown.push(toShown(value));
      notify();
    },
  };
  return {
    invocation,
    shown,
    async next() {
      if (taken === shown.length) await new Promise<void>((resolve) => (notify = resolve));
      return shown[taken++] as Shown;
    },
    cancel: () => invocation.onCanceled(),
  };
}
