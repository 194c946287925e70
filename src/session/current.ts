import { createPorts } from "../feed/ports";
import { createSession } from "./session";

/** The session of this shared runtime: pane and cells load in one page, which the companion serves. */
export const session = createSession({ ports: createPorts(), companionUrl: location.origin });
