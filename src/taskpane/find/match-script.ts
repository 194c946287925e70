import { createScript } from "../pane/ScriptPart";

/** Matching is a script of its own, since few people need it. */
export const MATCH = createScript(async () => (await import(/* webpackChunkName: "match" */ "../match/Match")).Match);
