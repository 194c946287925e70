import type { FastifyInstance } from "fastify";

/** Has something done on each SIGHUP, by which a service is told to look at its files anew, as long as the companion runs. */
export function onHangUp(app: FastifyInstance, act: () => void): void {
  process.on("SIGHUP", act);
  app.addHook("onClose", async () => void process.off("SIGHUP", act));
}
