import type { Tools } from "../taskpane/tool";
import { ADOPT } from "./adopt/door";
import { CHECK } from "./check/door";
import { MATCH } from "./match/door";
import { RANKED } from "./ranked/door";

/** All tools; one whose folder and lines here are removed is removed. */
export const TOOLS: Tools = {
  find: [MATCH],
  build: [ADOPT],
  changes: [CHECK],
  sheets: [RANKED],
};
