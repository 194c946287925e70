import { afterCurrentTask } from "../../../client/ports";

/** Lets the page draw and take input, or the worker other calls. */
export const pause = (): Promise<void> => new Promise((resolve) => void afterCurrentTask(resolve));
