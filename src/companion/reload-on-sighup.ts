import type { FastifyInstance } from "fastify";

/** Calls a function on each SIGHUP, which tells a service to reload its files, while the companion runs. */
export function onHangUp(app: FastifyInstance, act: () => void): void {
  process.on("SIGHUP", act);
  app.addHook("onClose", async () => void process.off("SIGHUP", act));
}
