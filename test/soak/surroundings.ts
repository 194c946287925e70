import { installCustomFunctions } from "../office/custom-functions";

// What the sources look for as soon as they are loaded: import this first.
installCustomFunctions();
Object.assign(globalThis, { location: { origin: "http://127.0.0.1:9" } });
