import type { Tools } from "../taskpane/tool";
import { ADOPT } from "./adopt/door";
import { CHECK } from "./check/door";
import { MATCH } from "./match/door";
import { RANKED } from "./ranked/door";

/**
 * All tools. One is removed by four edits: its folder here and in test/tools, and its import and its name below. Its page
 * in docs goes too, in both languages, with the links to it.
 */
export const TOOLS: Tools = {
  find: [MATCH],
  build: [ADOPT],
  changes: [CHECK],
  sheets: [RANKED],
};
