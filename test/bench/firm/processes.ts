import { readFileSync } from "node:fs";

export interface ProcessUsage {
  peakBytes: number;
  cpuSeconds: number;
}

/** Linux's unit of process time. */
const TICKS_PER_SECOND = 100;

/** Reads a process's figures from Linux directly; starting a program would distort a large process. */
export function readProcessUsage(pid: number): ProcessUsage {
  const [, peak = 0] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  // After the program's name, which can contain blanks, its times are the 12th and 13th words.
  const words = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]!.split(" ");
  return { peakBytes: Number(peak) * 1024, cpuSeconds: (Number(words[11]) + Number(words[12])) / TICKS_PER_SECOND };
}
