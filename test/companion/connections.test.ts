import { once } from "node:events";
import { connect } from "node:net";
import { it } from "@jest/globals";
import { startCompanion } from "../support/companion";

/** Node's own timeouts end such a connection only after ten seconds and more. */
const BEFORE_NODE_MS = 5_000;

it(
  "closes at once although a browser holds a connection open that it never used",
  async () => {
    const companion = await startCompanion();
    const socket = connect(Number(new URL(companion.origin).port), "127.0.0.1");
    await once(socket, "connect");
    await fetch(`${companion.origin}/companion/config`); // accepted after the unused one, so that one is accepted, too
    const closed = once(socket, "close");
    socket.resume();
    await companion.close();
    await closed;
  },
  BEFORE_NODE_MS,
);
