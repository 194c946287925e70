import type { Tool } from "./tool";
import { formula } from "./tools/formula";

/** The tools, in the order of their list. */
export const TOOLS = [formula] as readonly Tool[];
