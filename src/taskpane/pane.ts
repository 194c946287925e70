import { createContext, type ReactNode, useContext, useEffect, useRef } from "react";
import type { Place, Workbook } from "../contract/workbook";
import type { Session } from "../session/session";
import type { CommandId } from "./commands/command";
import type { Host, PersistedSettings } from "./host";
import type { Texts } from "./texts";

/** The pane's parts, in the order of their tabs. */
export const PARTS = ["connect", "find", "build", "sheets", "activity"] as const;

export type Part = (typeof PARTS)[number];

/** A company that one part hands to another. */
export interface ChosenCompany {
  id: string;
  name: string;
}

/** What a part begins with, or goes on with, when another one sends the person there. */
export interface Handoffs {
  build: { company: ChosenCompany } | { formula: string; place: Place };
  sheets: { company: ChosenCompany };
  find: { name: string };
  activity: { about: "cell" };
}

/** What the pane says on top, whichever part is shown; one notice takes the place of the one before. */
export interface Notice {
  intent: "info" | "success" | "warning" | "error";
  text: ReactNode;
  /** What can be done about it; each ends the notice. */
  actions?: readonly { label: string; act: () => void }[];
}

/** What every part of the pane works with. */
export interface PaneContext {
  session: Session;
  workbook: Workbook;
  host: Host;
  texts: Texts;
  /** Has the workbook keep the settings in its file; rejects in words when it does not. */
  persist: (settings: Partial<PersistedSettings>) => Promise<void>;
  notify: (notice: Notice) => void;
  /** Does what a command of the ribbon says; how it ends is told on top. */
  run: (command: CommandId) => void;
  /** Shows a part; of what was written there, `handoff` changes only what it names. */
  open: <P extends Part>(part: P, handoff?: P extends keyof Handoffs ? Handoffs[P] : never) => void;
}

export const Context = createContext<PaneContext | null>(null);

/** What the pane gives to its parts. @throws Error outside of it, which is a mistake of the program */
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
