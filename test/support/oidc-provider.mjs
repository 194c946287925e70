// A third-party token endpoint in a process of its own. It registers the client of its argument, prints its port in a
// line, and ends with its parent process.
import { createServer } from "node:http";
import { Provider } from "oidc-provider";

const { clientId, keys } = JSON.parse(process.argv[2]);
const client = {
  client_id: clientId,
  token_endpoint_auth_method: "private_key_jwt",
  grant_types: ["client_credentials"],
  redirect_uris: [],
  response_types: [],
  jwks: { keys },
};
const server = createServer();
server.listen(0, "127.0.0.1", () => {
  const { port } = server.address();
  const features = { clientCredentials: { enabled: true }, devInteractions: { enabled: false } };
  const provider = new Provider(`http://127.0.0.1:${port}`, { clients: [client], features });
  server.on("request", provider.callback());
  process.stdout.write(`\nport ${port}\n`);
});
process.stdin.on("end", () => process.exit()).resume();
