import { installCustomFunctions } from "../office/custom-functions";

// Globals that the sources read on load: import this first.
installCustomFunctions();
Object.assign(globalThis, { location: { origin: "http://127.0.0.1:9" } });
