import { once } from "node:events";
import { connect } from "node:net";
import { expect, it } from "@jest/globals";
import { startCompanion } from "../support/companion";

it("closes at once although a browser holds a connection open that it never used", async () => {
  const companion = await startCompanion();
  const socket = connect(Number(new URL(companion.origin).port), "127.0.0.1");
  await once(socket, "connect");
  await fetch(`${companion.origin}/companion/config`); // accepted after the unused one, so that one is accepted, too
  const startedMs = performance.now();
  await companion.close();
  // Node's own timeouts end such a connection only after ten seconds and more.
  expect(performance.now() - startedMs).toBeLessThan(3000);
});
