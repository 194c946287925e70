import { createControls } from "../../src/sandbox";
import { startCompanion } from "../support/companion";
import { answerOrders } from "../support/forked";
import type { SiteCommand } from "./site";

/** The companion with its sample provider, controlled by the bench. */
async function run(companies: number): Promise<void> {
  const controls = createControls();
  const { origin } = await startCompanion({ controls, companies });
  answerOrders<SiteCommand>(origin, ({ latencyMs, changed, forget }) => {
    const requests = controls.count() - controls.count("createToken");
    if (forget) controls.reset();
    if (latencyMs !== undefined) controls.latencyMs = latencyMs;
    if (changed !== undefined) controls.perturb = toPerturb(changed);
    return requests;
  });
}

function toPerturb(changed: readonly number[] | "all"): (value: number) => number {
  if (changed === "all") return (value) => value + 1;
  const values = new Set(changed);
  return (value) => (values.has(value) ? value + 1 : value);
}

void run(Number(process.argv[2]));
