import { readFileSync } from "node:fs";

/** What a process has taken. */
export interface Taken {
  /** The most memory that it ever held at once. */
  peakBytes: number;
  cpuSeconds: number;
}

/** In which Linux counts a process's time. */
const TICKS_PER_SECOND = 100;

/** Reads what Linux says of a process: nothing is started for it, which would cost a large process more than it tells. */
export function readTaken(pid: number): Taken {
  const [, peak = 0] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  // Behind the program's name, which may hold blanks, its time is the 12th and the 13th word.
  const words = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]!.split(" ");
  return { peakBytes: Number(peak) * 1024, cpuSeconds: (Number(words[11]) + Number(words[12])) / TICKS_PER_SECOND };
}
