import { readFileSync } from "node:fs";
import { join } from "node:path";

const DEPLOY = join(__dirname, "../../src/firm/deploy");

/** Reads the settings of nginx that administrators get, for a place, as one text with what they include of ours. */
export function readNginx(place: "nginx.conf" | "nginx.systemd.conf"): string {
  const main = readFileSync(join(DEPLOY, place), "utf8");
  return main.replace(/^( *)include \S+\/((?:http|server)\.conf);$/gm, (_, indent: string, name: string) =>
    readFileSync(join(DEPLOY, "nginx", name), "utf8")
      .replace(/^(?=.)/gm, indent)
      .trimEnd(),
  );
}
