import { usePane } from "../pane";
import { type MatchTexts, matchTexts } from "../texts/match";

/** The texts of matching, which load with its script. */
export const useMatchTexts = (): MatchTexts => matchTexts[usePane().texts.language];
