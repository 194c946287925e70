import { createPorts } from "../client/ports";
import { readPartition } from "./pairing";
import { createSession } from "./session";

/** Of the companion, which serves the page and the worker's script. */
const { origin } = location;

/** The session of this shared runtime, which pane and cells share. */
export const session = createSession({
  ports: createPorts(readPartition),
  companionUrl: origin,
  createWorker: typeof Worker === "undefined" ? undefined : () => new Worker(`${origin}/names.js`),
});
