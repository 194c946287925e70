import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { hasCode } from "../client/errors";
import { toProvider } from "../client/owner";
import type { Items, Ports } from "../client/ports";
import { BUILD_ADVICE } from "../companion/program";
import { PAIRING_STORAGE_KEY } from "../contract/companion-api";
import type { ToMaxAge } from "../feed/query-cache";
import type { FunctionsMetadata } from "../playground/custom-functions";
import { type CustomFunctionsRuntime, createCustomFunctionsRuntime } from "../playground/excel-runtime";
import type { Placement } from "../session/calls";
import { createFreshness } from "../session/freshness";
import type { Session } from "../session/session";
import { DEFAULT_SETTINGS, type Settings, toPolicies } from "../session/settings";
import { persistAnswers } from "./answers";
import { buildLargeIndexes, persistNames } from "./names";
import type { OpenedProvider } from "./provider";
import { toAsOf } from "./report";

/** The add-in's formulas without Excel. A process has one host at most. */
export interface Host {
  readonly session: Session;
  /** A cell's key is its address, such as "Sheet1!B3". */
  readonly runtime: CustomFunctionsRuntime;
  readonly metadata: FunctionsMetadata;
  /** Requests that the run would have taken so far, about, where the limit did not allow all of them; 0 where it did. */
  heldBack(): number;
  /** Begins another run with a limit of its own. */
  allow(requests: number): void;
  /**
   * Waits until every call has its result, and no query is on its way: a cell's sentence after 30 seconds is not the end
   * while its query goes on. Before any request goes out, `onCost` is called.
   */
  settle(): Promise<void>;
  /** Ends all calls; nothing of them keeps the process alive. */
  close(): void;
}

/** What a host is made of. */
export interface HostOptions {
  provider: Pick<OpenedProvider, "url" | "bearer" | "fetch" | "describe">;
  /** The build's functions.json. */
  metadata: FunctionsMetadata;
  /** The workbook's own; its limit of requests, which may be 0, is for the whole run. Default the add-in's. */
  settings?: Partial<Settings>;
  /** Called with the number of requests of a burst, about, before any of them; default nothing is said. */
  onCost?: (requests: number) => void;
  /** The folder that keeps the indexes of names for the next run; default none is kept. */
  namesFolder?: string;
  /** The folder that keeps answers for the next run, which uses them as the settings allow; default none are kept. */
  answersFolder?: string;
}

/**
 * Reads the functions as the build describes them to Excel.
 * @throws Error where there is no build
 */
export function readMetadata(webFolder: string): FunctionsMetadata {
  const path = join(webFolder, "functions.json");
  if (!existsSync(path)) throw new Error(`The pages are not built. ${BUILD_ADVICE}`);
  return JSON.parse(readFileSync(path, "utf8"));
}

/** Opens the host: gives the formulas what a page has and Node has not, and loads them. */
export async function openHost(options: HostOptions): Promise<Host> {
  const { metadata, settings = {}, namesFolder, answersFolder } = options;
  // Sample data are of another owner at each start: no run would read what this one keeps.
  const keeps = options.provider.describe.mode !== "sample";
  if (keeps && namesFolder !== undefined) persistNames(namesFolder);
  const saveAnswers =
    keeps && answersFolder !== undefined ? persistAnswers(answersFolder, toAllowedAge(settings)) : () => {};
  const flushing = { delay: 0, interval: 0 }; // nobody watches the cells
  const runtime = createCustomFunctionsRuntime({ onResults: () => {}, addressOf: (cell) => cell, flushing });
  const leavePage = enterPage(options, runtime);
  const session = await loadFormulas(runtime, metadata);
  const timers = followTimers(session.ports);
  // The session would find the figures' provider a while after the first of them, and every run would wait for that.
  // Each burst of requests waits, so that its cost is told; nothing is refreshed by itself.
  const provider = settings.provider ?? toProvider(options.provider.describe.provider);
  session.adopt({ ...settings, provider, requestLimit: 0, refresh: toPolicies("manual") });
  const most = settings.requestLimit ?? DEFAULT_SETTINGS.requestLimit;
  const costs = createCosts(session, most, options.onCost);
  const isCalm = () => !runtime.isBusy() && !timers.areSoon() && !isReading(session);
  return {
    session,
    runtime,
    metadata,
    heldBack: costs.heldBack,
    allow: costs.allow,
    async settle() {
      do await untilCalm(isCalm);
      while (costs.confirm() || (await buildLargeIndexes(session, costs.admit)));
      if (!session.placement.isWanted) return;
      session.place(createPlacement(session, runtime));
      for (const call of session.calls.list()) if (call.name === "STATUS") call.reread(true);
      await untilCalm(isCalm);
    },
    close() {
      saveAnswers();
      runtime.end();
      session.disconnect();
      session.feed.queryCache.close();
      timers.end();
      leavePage();
    },
  };
}

/** No age is allowed where a person decides when a family is refreshed, or a sheet has a schedule of its own. */
function toAllowedAge({ refresh = DEFAULT_SETTINGS.refresh, sheets = [] }: Partial<Settings>): ToMaxAge {
  const { toMaxAgeMs } = createFreshness(Date.now, () => refresh);
  const hasSchedules = sheets.some(({ schedule }) => schedule);
  return ({ persistence }) => {
    const isDecided = hasSchedules || persistence === undefined || refresh[persistence.family] === "manual";
    return isDecided ? 0 : toMaxAgeMs({ persistence });
  };
}

/** Sets the globals of a page, and gives what puts the former ones back. Node's own storage is a file, or a warning. */
function enterPage({ provider }: HostOptions, { customFunctions }: CustomFunctionsRuntime) {
  const { url, bearer, fetch } = provider;
  const page = {
    Office: {
      context: {
        requirements: { isSetSupported: (...set: string[]) => OF_FORMATS.includes(set.join(" ")) },
      },
    },
    location: { origin: url },
    localStorage: createItems(bearer === null ? [] : [[PAIRING_STORAGE_KEY, bearer]]),
    CustomFunctions: customFunctions,
    fetch,
  };
  const before = Object.keys(page).map((name) => [name, Object.getOwnPropertyDescriptor(globalThis, name)] as const);
  for (const [name, value] of Object.entries(page)) define(name, { value, configurable: true, writable: true });
  return () => {
    for (const [name, descriptor] of before) {
      if (descriptor === undefined) Reflect.deleteProperty(globalThis, name);
      else define(name, descriptor);
    }
  };
}

/** The sets that an Excel has which shows numbers of custom functions by their formats. */
const OF_FORMATS = ["CustomFunctionsRuntime 1.4", "ExcelApi 1.16"];

const define = (name: string, descriptor: PropertyDescriptor) => Object.defineProperty(globalThis, name, descriptor);

function createItems(entries: readonly (readonly [string, string])[]): Items {
  const items = new Map(entries);
  return {
    getItem: (key) => items.get(key) ?? null,
    setItem: (key, value) => void items.set(key, value),
    removeItem: (key) => void items.delete(key),
  };
}

/** Loads the formulas, and associates them as the build of the pages does: each file offers its own to the session. */
async function loadFormulas(runtime: CustomFunctionsRuntime, metadata: FunctionsMetadata): Promise<Session> {
  const { session } = await import("../session/current");
  const { formulas } = session;
  const { offer } = formulas;
  const ids = new Map(metadata.functions.map(({ id, name }) => [name, id]));
  formulas.offer = (offered) => {
    for (const [name, formula] of Object.entries(offered)) {
      runtime.customFunctions.associate(ids.get(name) ?? name, formula);
    }
    offer(offered);
  };
  await import("../functions");
  runtime.load(metadata);
  return session;
}

/** A shorter timer belongs to work that goes on, such as a table that rests between two layouts. */
const SOON_MS = 1_000;

/** Follows the session's timers: a table of many answers is laid out a little after the last of them. */
function followTimers(ports: Ports) {
  const { after } = ports;
  const ends = new Set<() => void>();
  let soon = 0;
  let hasEnded = false;
  ports.after = (delayMs, callback) => {
    if (hasEnded) return () => {};
    const isSoon = delayMs < SOON_MS;
    const leave = () => {
      if (ends.delete(end) && isSoon) soon--;
    };
    const callOff = after(delayMs, () => {
      leave();
      callback();
    });
    const end = () => {
      leave();
      callOff();
    };
    ends.add(end);
    if (isSoon) soon++;
    return end;
  };
  return {
    areSoon: () => soon > 0,
    end() {
      hasEnded = true;
      for (const end of [...ends]) end();
    },
  };
}

/** Tells the present formulas how old their own sheet is: what others need of a placement, nobody asks for here. */
function createPlacement({ calls, feed }: Session, runtime: CustomFunctionsRuntime): Placement {
  const list = calls.list();
  const toSheet = (cell: string) => cell.slice(0, cell.lastIndexOf("!"));
  const sheets = new Map(
    list.map(({ name, given }) => [given, new Set(runtime.listCells(name, given).map(toSheet))] as const),
  );
  return {
    oldestBesideMs(own) {
      if (!sheets.has(own)) return undefined;
      const beside = list.filter(({ given }) =>
        [...(sheets.get(given) ?? [])].some((name) => sheets.get(own)?.has(name)),
      );
      const { oldest } = toAsOf(beside, feed);
      return oldest === null ? null : Date.parse(oldest);
    },
    leaveCalls: async (some) => some,
    leaveQueries: async (some) => some,
  };
}

const isReading = ({ feed, scheduler, refreshing }: Session): boolean =>
  scheduler.areWaiting() || refreshing.state().running !== null || feed.activity.pending() > 0;

const LOOK_MS = 3;
/** What has ended may begin something else in the next steps of the event loop. */
const CALM_LOOKS = 3;

async function untilCalm(isCalm: () => boolean): Promise<void> {
  for (let looks = 0; looks < CALM_LOOKS; looks = isCalm() ? looks + 1 : 0) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}

const isHeld = hasCode("FEED_CONFIRM_NEEDED");

/** Lets the requests that the session holds back go out, as long as all of them are within the limit. */
function createCosts(session: Session, limit: number, onCost: (requests: number) => void = () => {}) {
  const { confirmation, feed } = session;
  let most = limit;
  let told = 0;
  let heldBack = 0;
  /** @returns whether so many requests more are within the limit; they are told then */
  const admit = (requests: number): boolean => {
    if (told + requests > most) {
      heldBack = told + requests;
      return false;
    }
    told += requests;
    onCost(requests);
    return true;
  };
  return {
    admit,
    heldBack: () => heldBack,
    allow(requests: number): void {
      feed.budget.drop(feed.budget.unconfirmed());
      most = requests;
      told = 0;
      heldBack = 0;
    },
    /** @returns whether requests go out now */
    confirm(): boolean {
      session.change({ requestLimit: 0 });
      const waiting = confirmation.waiting();
      if (waiting?.reason === "provider") return false; // nobody answers here
      if (waiting !== null) {
        const { requests } = waiting;
        if (!admit(requests)) return false;
        // No confirmation, by which a list might take any number of pages: those above are told again.
        session.change({ requestLimit: requests });
        feed.budget.drop(feed.budget.unconfirmed());
      } else if (![...feed.queryCache.failed()].some(({ error }) => isHeld(error))) return false;
      // Queries that an earlier run left refused are counted anew.
      void feed.queryCache.retryFailed(isHeld);
      return true;
    },
  };
}
