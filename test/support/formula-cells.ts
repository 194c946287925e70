import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { jest } from "@jest/globals";
import * as errors from "../../src/client/errors";
import type { createSession, Session } from "../../src/session/session";
import { installCustomFunctions, type Shown, toShown } from "../office/custom-functions";
import { createOfficeRuntime } from "../office/runtime";
import { readSignatures } from "./formula-signatures";

export type { Shown } from "../office/custom-functions";

/** A cell that holds a streaming formula, as the host sees it. */
export interface FormulaCell {
  /** Everything that was shown so far. */
  readonly shown: readonly Shown[];
  /** The next thing shown that nobody has taken yet, as soon as it is there. */
  next(): Promise<Shown>;
  /** Cancels, as a host does when the cell is emptied. */
  cancel(): void;
}

export interface Formulas {
  session: Session;
  /** Types a formula into a cell: `type("FINANCIAL", [[id]], [[2023]], [["Revenue"]])`; arguments left out are null. */
  type(name: FormulaName, ...parameters: unknown[]): FormulaCell;
  /** The same, while the formula is still being typed. */
  preview(name: FormulaName, ...parameters: unknown[]): FormulaCell;
  close(): void;
}

/** A formula's name as it is typed behind FEED and a dot, such as "RANKING.PAGES". */
type FormulaName = string;
type Formula = (...parameters: unknown[]) => void;

/** Puts the genuine Office of a host where the sources look for it, for formulas that are loaded after that. */
export async function installOffice(excelApi: string): Promise<void> {
  const runtime = createOfficeRuntime({ origin: "http://localhost", excelApi });
  await runtime.ready;
  Object.assign(globalThis, { Office: runtime.evaluate("Office") });
  runtime.dispose();
}

/** The sources as one page has them; the page's session is what they have of it. */
interface Sources {
  /** The host that they have found. */
  office: unknown;
  current: { session: Session };
  creation: { createSession: typeof createSession };
  formulas: ReadonlyMap<FormulaName, Formula>;
}

/** Sources whose page is closed: loading them anew costs more than most formulas do. */
const spare = new Set<Sources>();

/** Loads the formulas as a page at `origin` would, with a session of its own, and sources that no other open page has. */
export async function loadFormulas(origin: string): Promise<Formulas> {
  installCustomFunctions();
  Object.assign(globalThis, { location: { origin } });
  const sources = await takeSources();
  const session = createCurrent(sources);
  sources.current.session = session;
  const open = (name: FormulaName, parameters: unknown[], isInValuePreview: boolean) => {
    const formula = sources.formulas.get(name);
    if (formula === undefined) throw new Error(`There is no formula ${name}.`);
    const cell = createCell(isInValuePreview);
    const padded = Array.from({ length: formula.length - 1 }, (_, index) => parameters[index] ?? null);
    formula(...padded, cell.invocation);
    return cell;
  };
  return {
    session,
    type: (name, ...parameters) => open(name, parameters, false),
    preview: (name, ...parameters) => open(name, parameters, true),
    close: () => {
      session.feed.queryCache.close();
      spare.add(sources);
    },
  };
}

/**
 * Loads a page's scripts as modules of their own, those that formulas load when they are first typed among them.
 *
 * @param load requires them, and gives the session that they have
 */
export async function isolatePage(load: () => Session): Promise<Session> {
  let session = {} as Session;
  await jest.isolateModulesAsync(async () => {
    session = load();
    await Promise.all(readSignatures().map(({ name }) => session.formulas.listQueries(name, [])));
  });
  return session;
}

/** Sources ask a host once what it can, so that those of one host do not serve another. */
async function takeSources(): Promise<Sources> {
  const { Office: office } = globalThis as { Office?: unknown };
  const sources = [...spare].find((each) => each.office === office) ?? (await loadSources(office));
  spare.delete(sources);
  return sources;
}

/** Loads also what formulas load when they are first typed: modules that come later would be none of these sources. */
async function loadSources(office: unknown): Promise<Sources> {
  const formulas = new Map<FormulaName, Formula>();
  const current = {} as Sources["current"];
  let creation = {} as Sources["creation"];
  jest.doMock("../../src/session/current", () => current);
  // A script that is loaded when it is wanted is no module of theirs, and what it throws must be known to them.
  jest.doMock("../../src/client/errors", () => errors);
  await jest.isolateModulesAsync(async () => {
    creation = require("../../src/session/session");
    for (const { file, text } of listFormulaFiles()) {
      const exported: Record<string, Formula> = require(file);
      for (const [, name = "", implementation = ""] of text.matchAll(TAGGED)) {
        formulas.set(name, exported[implementation] as Formula);
      }
    }
    const { createPorts } = require("../../src/client/ports");
    current.session = creation.createSession({ ports: createPorts(), companionUrl: "http://localhost" });
    await Promise.all([...formulas.values()].map(preview));
    current.session.feed.queryCache.close();
  });
  jest.dontMock("../../src/session/current");
  jest.dontMock("../../src/client/errors");
  return { office, current, creation, formulas };
}

/** The session that a page which is opened now has, made by its sources. */
function createCurrent({ creation }: Sources): Session {
  let current = {} as Sources["current"];
  jest.doMock("../../src/session/session", () => creation);
  jest.isolateModules(() => {
    current = require("../../src/session/current");
  });
  jest.dontMock("../../src/session/session");
  return current.session;
}

/** Types a formula without arguments, and waits until it has said what is wrong with it. */
function preview(formula: Formula): Promise<Shown> {
  const cell = createCell(true);
  formula(...Array.from({ length: formula.length - 1 }, () => null), cell.invocation);
  return cell.next();
}

const FUNCTIONS = join(__dirname, "../../src/functions");

/** A formula's tag, and the name of the function that has it. */
const TAGGED = /@customfunction ([A-Z.]+)[\s\S]*?export function (\w+)\(/g;

function listFormulaFiles() {
  const names = readdirSync(FUNCTIONS).filter((name) => name.endsWith(".ts"));
  const files = names.map((name) => join(FUNCTIONS, name));
  return files
    .map((file) => ({ file, text: readFileSync(file, "utf8") }))
    .filter(({ text }) => text.includes("@customfunction"));
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
