import type { ComponentType, ReactNode } from "react";
import type { SheetPlan } from "../contract/workbook";
import type { Template } from "../session/settings";
import type { Script } from "./pane/ScriptPart";
import type { SheetTexts } from "./sheets/plan";
import type { Texts } from "./texts";

type Languages<T> = Readonly<Record<Texts["language"], T>>;

/** A tool of the pane: a folder of `src/tools`, which is a script of its own and loads when its door is opened. */
interface Tool<Props> {
  id: string;
  title: Languages<string>;
  script: Script<ComponentType<Props>>;
}

/** A tool behind a tab of Find. */
export type FindTool = Tool<{ country: string; onCountry: (country: string) => void }>;

/** A tool behind a fold of Build. */
export type BuildTool = Tool<object>;

/** A tool behind a section of Changes. */
export interface ChangesTool extends Tool<object> {
  /** What it does, before it begins. */
  hint: Languages<string>;
  /** The button that begins it. */
  begin: Languages<string>;
}

/** A kind of sheets that a tool makes. */
export interface SheetKind {
  title: Languages<string>;
  hint: Languages<string>;
  first: SheetDraft;
}

/** The input of a form for a sheet; all of its choices are valid. */
export interface SheetDraft {
  toPlan(texts: SheetTexts, language: Texts["language"]): SheetPlan;
  /** The sheet's content and cost, in words. */
  describe(texts: Pick<Texts, "ofSheets" | "language">): string;
  /** @param change receives the input as the person changed it */
  form(change: (draft: SheetDraft) => void): ReactNode;
}

/** Kinds of sheets by template; they load with the part for sheets. */
export type SheetTool = Script<Partial<Readonly<Record<Template, SheetKind>>>>;

/** The tools, by the part of the pane where their doors stand. */
export interface Tools {
  find: readonly FindTool[];
  build: readonly BuildTool[];
  changes: readonly ChangesTool[];
  sheets: readonly SheetTool[];
}
