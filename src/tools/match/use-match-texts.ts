import { usePane } from "../../taskpane/pane";
import { type MatchTexts, matchTexts } from "./texts";

/** The texts of matching, which load with its script. */
export const useMatchTexts = (): MatchTexts => matchTexts[usePane().texts.language];
