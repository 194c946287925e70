import { createPorts } from "../client/ports";
import { readPartition } from "./partition";
import { createSession } from "./session";

/** Of the companion, which serves the page and the worker's script. */
const { origin } = location;

const NAMES_SCRIPT = `${origin}/names.js`;

/** Browsers with trusted types report a script address that is plain text. */
const { trustedTypes } = globalThis as {
  trustedTypes?: { createPolicy(name: string, rules: object): { createScriptURL(address: string): string } };
};

function createWorker(): Worker {
  const policy = trustedTypes?.createPolicy("names", { createScriptURL: () => NAMES_SCRIPT });
  return new Worker(policy?.createScriptURL(NAMES_SCRIPT) ?? NAMES_SCRIPT);
}

/** The session of this shared runtime, which pane and cells share. */
export const session = createSession({
  ports: createPorts(readPartition),
  companionUrl: origin,
  createWorker: typeof Worker === "undefined" ? undefined : createWorker,
});
