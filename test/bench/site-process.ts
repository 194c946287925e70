import { createControls } from "../../src/sandbox";
import { startCompanion } from "../support/companion";
import type { SiteCommand, SiteReply } from "./site";

/** The companion with its sample provider in a separate process, controlled by the bench. */
async function run(companies: number): Promise<void> {
  const controls = createControls();
  const companion = await startCompanion({ controls, companies });
  const notify = (reply: SiteReply) => process.send?.(reply);
  process.on("message", ({ id, latencyMs, changed, forget }: SiteCommand) => {
    const counts = controls.count();
    const tokens = controls.count("createToken");
    if (forget) controls.reset();
    if (latencyMs !== undefined) controls.latencyMs = latencyMs;
    if (changed !== undefined) controls.perturb = toPerturb(changed);
    notify({ id, requests: counts - tokens });
  });
  process.on("disconnect", () => process.exit());
  notify({ id: 0, origin: companion.origin });
}

function toPerturb(changed: readonly number[] | "all"): (value: number) => number {
  if (changed === "all") return (value) => value + 1;
  const values = new Set(changed);
  return (value) => (values.has(value) ? value + 1 : value);
}

void run(Number(process.argv[2]));
