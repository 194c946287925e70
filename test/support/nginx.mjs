/** nginx as the reverse proxy of instances, as in a firm. */
import { findProgram } from "./program-path.mjs";

/**
 * Finds the program.
 * @param {NodeJS.ProcessEnv} environment
 * @returns {string | undefined} Its path.
 */
export const findNginx = (environment = process.env) => findProgram(["nginx"], environment);
