/** What a set-up of this computer concerns: the person's places, and the programs of the operating system. */
export interface Machine {
  platform: NodeJS.Platform;
  /** As `process.env`. */
  environment: NodeJS.ProcessEnv;
  /** The person's home folder. */
  home: string;
  /** The person's configuration folder. */
  folder: string;
  /** The folder of the certificate of https://localhost. */
  certificateFolder: string;
  /** The words that start this program, by absolute paths: Node, and the script. */
  program: readonly [node: string, script: string];
}

/** The names of operating systems in sentences. */
export function toSystemName(platform: NodeJS.Platform): string {
  if (platform === "win32") return "Windows";
  return platform === "darwin" ? "macOS" : "this system";
}
