import { Agent, createServer, request } from "node:http";
import type { AddressInfo } from "node:net";

/** A minimal proxy between page and provider: it pipes both ways and checks nothing. */
const [, , port] = process.argv;
const agent = new Agent({ keepAlive: true });

const server = createServer((incoming, response) => {
  const { method, url: path, headers } = incoming;
  const passed = request({ agent, host: "127.0.0.1", port, method, path, headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(response);
  });
  incoming.pipe(passed);
});
server.listen(0, "127.0.0.1", () => process.send?.((server.address() as AddressInfo).port));
process.on("disconnect", () => process.exit());
