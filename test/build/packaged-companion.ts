import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { createInterface } from "node:readline";

/** Runs before the program: notes each address outside this machine that it looks up or connects to, and refuses it. */
const OFFLINE = `
import dns from "node:dns";
import net from "node:net";
import { syncBuiltinESMExports } from "node:module";
const isHere = (host) => [undefined, "localhost", "127.0.0.1", "::1"].includes(host);
const refuse = (host) => { process.stderr.write("outside: " + host + "\\n"); throw new Error("no network"); };
const { lookup } = dns;
dns.lookup = (host, ...rest) => (isHere(host) ? lookup(host, ...rest) : refuse(host));
const { connect } = net.Socket.prototype;
net.Socket.prototype.connect = function (...words) {
  const [options] = Array.isArray(words[0]) ? words[0] : words;
  return isHere(options?.host) ? connect.apply(this, words) : refuse(options.host);
};
syncBuiltinESMExports();
`;

/** A companion that runs from an unpacked package, with sample data. */
interface PackagedCompanion {
  origin: string;
  /** The addresses outside this machine that it wanted to reach. */
  foreignAddresses(): string[];
  close(): Promise<void>;
}

/**
 * Starts a package's program with an empty home, outside the project and without a network.
 * @param program The path of feed.mjs.
 */
export async function startPackaged(program: string, home: string): Promise<PackagedCompanion> {
  mkdirSync(home);
  const guard = `data:text/javascript,${encodeURIComponent(OFFLINE)}`;
  const folders = { HOME: home, USERPROFILE: home, APPDATA: home, XDG_CONFIG_HOME: home };
  const child = spawn(process.execPath, ["--import", guard, program, "start"], {
    cwd: dirname(home),
    env: { ...folders, PORT: "0" },
  });
  let errors = "";
  child.stderr.on("data", (part) => {
    errors += part;
  });
  let address: string | undefined;
  for await (const line of createInterface(child.stdout)) {
    address = line.match(/http:\S+/)?.[0];
    if (address) break;
  }
  if (address === undefined) throw new Error(`The package does not start: ${errors}`);
  const { origin } = new URL(address);
  return {
    origin,
    foreignAddresses: () => [...errors.matchAll(/^outside: (.*)$/gm)].map(([, host = ""]) => host),
    async close() {
      child.kill("SIGTERM");
      await once(child, "exit");
    },
  };
}
