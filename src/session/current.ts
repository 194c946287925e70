import { createPorts } from "../client/ports";
import { createSession } from "./session";

/** The companion serves the pages, and the worker's script beside them. */
const { origin } = location;

/** The session of this shared runtime: pane and cells load in one page, which the companion serves. */
export const session = createSession({
  ports: createPorts(),
  companionUrl: origin,
  createWorker: typeof Worker === "undefined" ? undefined : () => new Worker(`${origin}/names.js`),
});
