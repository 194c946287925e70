import { createNameEngine, type NameEngine } from "./engine";
import { createNameStore } from "./store";

/** Makes the engine over what the browser keeps. */
export const createPersistedEngine = (): NameEngine => createNameEngine(createNameStore());
