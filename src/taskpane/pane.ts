import { createContext, type ReactNode, useCallback, useContext, useEffect, useRef, useSyncExternalStore } from "react";
import { FeedError, InternalError } from "../client/errors";
import { translate } from "../client/messages";
import type { Place, Workbook, WorkbookError } from "../contract/workbook";
import type { NamedCompany } from "../feed/resolutions";
import type { PersistedSettings } from "../session/persisted-settings";
import type { Session } from "../session/session";
import { showPlace } from "./addresses";
import type { CommandId } from "./commands/office";
import type { Host } from "./host";
import type { Action } from "./layout";
import type { NoticeEnd } from "./notice-ends";
import { separators, toLocalFormula, withSeparators } from "./separators";
import type { Texts } from "./texts";

/** The pane's tabs, in their order. */
export const TABS = ["find", "build", "sheets", "cell", "changes"] as const;

export type Tab = (typeof TABS)[number];

/** A part of the pane: a tab, or the page of settings. */
export type Part = Tab | "settings";

/** A company that one part hands to another. */
export interface ChosenCompany {
  id: string;
  name: string;
}

/** The data that a part receives when another part opens it. */
export interface Handoffs {
  build: { company: ChosenCompany } | { formula: string; place: Place };
  sheets: { company: ChosenCompany };
  /** A text to search, in a country; `named` where it stands in formulas and the person is to choose its company. */
  find: { name: string; country?: string; named?: NamedCompany };
  cell: { about: "cell" };
  /** A tool by its id. */
  changes: { about: string };
}

/** A message on top of the pane; a new one replaces the one before. */
export interface Notice {
  intent: "info" | "success" | "warning" | "error";
  text: ReactNode;
  /** What the text tells of, one below the other; default none. */
  list?: ReactNode;
  /** Buttons; each ends the notice. */
  actions?: readonly Action[];
  /** What ends it, since it is then no longer true; default only the person or the next notice. */
  until?: NoticeEnd;
}

/** The pane's shared objects and functions. */
export interface PaneContext {
  session: Session;
  workbook: Workbook;
  host: Host;
  texts: Texts;
  /** Stores settings in the workbook; rejects in words when that fails. */
  persist: (settings: Partial<PersistedSettings>) => Promise<void>;
  /** Shows a notice in place of the one before, which null ends. */
  notify: (notice: Notice | null) => void;
  /** Runs a command of the ribbon; its result shows on top. */
  run: (command: CommandId) => void;
  /** Shows a part; `handoff` changes only the input that it names. */
  open: <P extends Part>(part: P, handoff?: P extends keyof Handoffs ? Handoffs[P] : never) => void;
}

export const Context = createContext<PaneContext | null>(null);

/** The pane's context. @throws Error outside of the pane */
export function usePane(): PaneContext {
  const pane = useContext(Context);
  if (pane === null) throw new Error("this component stands outside of the pane");
  return pane;
}

/** Calls `take` once for each hand-off that a part is sent. */
export function useHandoff<W extends object>(handoff: W | undefined, take: (handoff: W) => void): void {
  const taken = useRef<W>(undefined);
  useEffect(() => {
    if (handoff === undefined || handoff === taken.current) return;
    taken.current = handoff;
    take(handoff);
  });
}

/** An error of the workbook in words, with its remedy; an unknown error in its own words. */
export function toFaultText(error: unknown, texts: Texts): string {
  if (!isWorkbookError(error)) return translate((error instanceof FeedError ? error : new InternalError(error)).text);
  return texts.faults[error.fault](error.place === undefined ? "" : showPlace(error.place), error.message);
}

/** Checked by its shape, since the playground's errors come from another page. */
export function isWorkbookError(error: unknown): error is WorkbookError {
  return typeof error === "object" && error !== null && "fault" in error;
}

/** The parts of the pane that commands use. */
export type Desk = Pick<PaneContext, "session" | "workbook" | "texts" | "notify" | "open">;

/** Does some work and shows its error on top of the pane. Never rejects. */
export async function attempt<P extends Pick<PaneContext, "notify" | "texts">>(
  pane: P,
  work: (pane: P) => Promise<void>,
): Promise<void> {
  try {
    await work(pane);
  } catch (error) {
    pane.notify({ intent: "error", text: toFaultText(error, pane.texts) });
  }
}

/**
 * Returns a function that copies a text and notifies the person; it resolves to false where the browser denies copying,
 * as it may in a frame of Excel on the web. Then the text of `shown` is selected, for the person's own keys.
 */
export function useCopy(): (text: string, shown?: HTMLElement | null) => Promise<boolean> {
  const { notify, texts } = usePane();
  return useCallback(
    async (text, shown) => {
      try {
        await navigator.clipboard.writeText(text);
        notify({ intent: "success", text: texts.copied });
        return true;
      } catch {
        select(shown ?? null);
        notify({ intent: "warning", text: texts.copyByHand });
        return false;
      }
    },
    [notify, texts],
  );
}

function select(element: HTMLElement | null): void {
  if (element instanceof HTMLTextAreaElement) {
    element.focus();
    element.select();
  } else if (element !== null) getSelection()?.selectAllChildren(element);
}

/** Returns what depends on the separators; the component is rendered again once they are known. */
export function useSeparators() {
  useSyncExternalStore(separators.subscribe, separators.known);
  return { toLocalFormula, withSeparators };
}
