// A third-party identity provider in a process of its own. It signs in the person of the header `person` without a
// prompt, and has a token endpoint for clients by themselves. Its keys are those of its argument, or its own where there
// are none; a line on its standard input replaces them.
import { createServer } from "node:http";
import { createInterface } from "node:readline";
import { errors, Provider } from "oidc-provider";

const { keys, client, people } = JSON.parse(process.argv[2]);
const server = createServer();
let handle;

function open(jwks) {
  const provider = new Provider(`http://127.0.0.1:${server.address().port}`, {
    clients: [client],
    ...(jwks.length > 0 && { jwks: { keys: jwks } }),
    claims: { profile: ["name"] },
    cookies: { keys: ["a test's own"] },
    extraTokenClaims: (_context, { accountId }) => people[accountId],
    findAccount: (_context, sub) => ({ accountId: sub, claims: () => ({ sub }) }),
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    loadExistingGrant: async ({ oidc }) => {
      const grant = new provider.Grant({ clientId: oidc.client.clientId, accountId: oidc.session.accountId });
      grant.addOIDCScope("openid profile");
      grant.addResourceScope("https://feed.example.com/api", "feed.read");
      await grant.save();
      return grant;
    },
    features: {
      clientCredentials: { enabled: true },
      devInteractions: { enabled: false },
      resourceIndicators: {
        enabled: true,
        getResourceServerInfo: (_context, audience) => {
          if (audience !== "https://feed.example.com/api") throw new errors.InvalidTarget();
          return { scope: "feed.read", audience, accessTokenFormat: "jwt", jwt: { sign: { alg: "RS256" } } };
        },
      },
    },
  });
  const answer = provider.callback();
  handle = (request, response) => {
    if (!request.url.startsWith("/interaction/")) return answer(request, response);
    const { person } = request.headers;
    const result = person === undefined ? { error: "access_denied" } : { login: { accountId: person } };
    return provider.interactionFinished(request, response, result);
  };
}

server.on("request", (request, response) => handle(request, response));
server.listen(0, "127.0.0.1", () => {
  open(keys);
  process.stdout.write(`\nport ${server.address().port}\n`);
});
createInterface(process.stdin)
  .on("line", (line) => {
    open(JSON.parse(line));
    process.stdout.write("\nrotated\n");
  })
  .on("close", () => process.exit());
