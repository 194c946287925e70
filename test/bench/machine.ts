import { cpus, release, totalmem, type } from "node:os";

/** The machine the figures were measured on. */
export interface Machine {
  processor: string;
  cores: number;
  memoryBytes: number;
  system: string;
  node: string;
  chromium: string;
  /** Its description in one line. */
  text: string;
}

export function readMachine(chromium: string): Machine {
  const processor = cpus()[0]?.model.trim() ?? "unknown processor";
  const [cores, memoryBytes, system, node] = [cpus().length, totalmem(), `${type()} ${release()}`, process.version];
  const memory = `${(memoryBytes / 2 ** 30).toFixed(0)} GB`;
  const text = `${processor}, ${cores} cores, ${memory}, ${system}, Node ${node}, Chromium ${chromium}`;
  return { processor, cores, memoryBytes, system, node, chromium, text };
}
