/** promtool, Prometheus' own tool for its rules (Debian: the package prometheus). */
import { findProgram } from "./program-path.mjs";

/**
 * Finds the program.
 * @param {NodeJS.ProcessEnv} environment
 * @returns {string | undefined} Its path.
 */
export const findPromtool = (environment = process.env) => findProgram(["promtool"], environment);
