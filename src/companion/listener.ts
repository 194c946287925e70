import closeWithGrace from "close-with-grace";
import type { FastifyInstance } from "fastify";
import type { Configuration } from "./configuration";

const CLOSING_MS = 5000;

/**
 * Opens the companion's port.
 * @throws Error with the cure when the port is taken or not allowed.
 */
export async function listen(app: FastifyInstance, { host, port }: Configuration): Promise<void> {
  try {
    await app.listen({ host, port });
  } catch (error) {
    await app.close();
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EADDRINUSE") {
      throw new Error(
        `Port ${port} is taken. Stop the program that holds it, or choose another one: PORT=${port + 1} npm start`,
      );
    }
    if (code === "EACCES")
      throw new Error(`Port ${port} needs more rights than this program has. Choose one above 1023 with PORT.`);
    throw error;
  }
}

/** Closes the companion when its process is told to end, with the answers under way sent first. */
export function closeOnSignal(app: FastifyInstance): void {
  closeWithGrace({ delay: CLOSING_MS, logger: app.log }, async ({ err }) => {
    if (err !== undefined) app.log.fatal(err);
    await app.close();
  });
}
