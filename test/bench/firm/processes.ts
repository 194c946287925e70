import { execFileSync } from "node:child_process";

/** What a process has taken since it was first looked at. */
export interface Taken {
  /** The most memory that it held at once, as far as it was looked at. */
  peakBytes: number;
  cpuSeconds: number;
}

const EVERY_MS = 500;

/** Looks at processes until it is told to stop, and then gives what each has taken. */
export function watchProcesses(pids: Readonly<Record<string, number>>): () => Record<string, Taken> {
  const names = Object.keys(pids);
  const first = names.map((name) => look(pids[name]!));
  const peaks = first.map(({ bytes }) => bytes);
  const timer = setInterval(() => {
    for (const [place, name] of names.entries()) peaks[place] = Math.max(peaks[place]!, look(pids[name]!).bytes);
  }, EVERY_MS);
  return () => {
    clearInterval(timer);
    const takes = names.map((name, place) => {
      const { bytes, seconds } = look(pids[name]!);
      return [
        name,
        { peakBytes: Math.max(peaks[place]!, bytes), cpuSeconds: seconds - first[place]!.seconds },
      ] as const;
    });
    return Object.fromEntries(takes);
  };
}

/** One that has ended holds nothing. */
function look(pid: number): { bytes: number; seconds: number } {
  try {
    const said = execFileSync("ps", ["-o", "rss=,time=", "-p", String(pid)], { encoding: "utf8" });
    const [kilobytes = "0", time = "0"] = said.trim().split(/\s+/);
    return { bytes: Number(kilobytes) * 1024, seconds: toSeconds(time) };
  } catch {
    return { bytes: 0, seconds: 0 };
  }
}

/** Reads [days-]hours:minutes:seconds, or minutes:seconds with their fraction. */
function toSeconds(time: string): number {
  const [days, clock] = time.includes("-") ? (time.split("-") as [string, string]) : ["0", time];
  return clock.split(":").reduce((sum, part) => sum * 60 + Number(part), 0) + Number(days) * 86_400;
}
