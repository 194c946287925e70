import { once } from "node:events";
import { connect } from "node:net";
import { expect, it } from "@jest/globals";
import { createCompanion } from "../../src/companion/companion";
import { createPages } from "./pages-folder";
import { readPort } from "./raw-request";
import { createConfiguration } from "./test-configuration";

const SECRET = "secret-bearer";

/** Every text of the lines, byte lists decoded. */
function readTexts(lines: string[]): string {
  const bytes = lines.flatMap((line) => [...line.matchAll(/\[(\d+(?:,\d+)+)\]/g)]);
  return [...lines, ...bytes.map(([, list]) => Buffer.from((list ?? "").split(",").map(Number)).toString())].join("\n");
}

it.each([
  ["a path with a byte that none may have", `GET /companion/\x9b HTTP/1.1\r\nfeed-pairing: ${SECRET}\r\n\r\n`],
  [
    "two lengths",
    `POST / HTTP/1.1\r\nauthorization: Bearer ${SECRET}\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n`,
  ],
  ["headers that are too large", `GET / HTTP/1.1\r\nfeed-pairing: ${SECRET}\r\nlarge: ${"x".repeat(20_000)}\r\n\r\n`],
])(
  "the log of a request with %s gives the reason of the refusal and nothing of its content",
  async (_what, request) => {
    const lines: string[] = [];
    const log = { write: (line: string) => lines.push(line) };
    const configuration = createConfiguration(undefined, { logLevel: "trace" });
    const app = await createCompanion({ configuration, webFolder: createPages(), log });
    await app.listen({ host: "127.0.0.1", port: 0 });
    const socket = connect(readPort(app), "127.0.0.1").resume();
    socket.write(request, "latin1");
    await once(socket, "close");
    await app.close();
    expect(readTexts(lines)).toContain("HPE_");
    expect(readTexts(lines)).not.toContain(SECRET);
  },
);
