import type { FastifyInstance } from "fastify";
import { type Address, toSignInPage } from "../../companion/address";
import { Refusal } from "../../companion/refusal";
import type { SigningIn } from "../sign-in";

/** Some tokens list a person's groups. */
const BODY_LIMIT_BYTES = 40 * 1024;

/** Adds the sign-in routes: the address of its page, and the exchange of a pane's token for a code. */
export function addSignIn(scope: FastifyInstance, signingIn: SigningIn, address: Address): void {
  scope.get(
    "/sign-in",
    { exposeHeadRoute: false, config: { pairing: "never", limit: "signIn" } },
    async ({ headers }) => ({ page: toSignInPage(headers.host, address), nested: signingIn.nested }),
  );
  const config = { contentType: "application/json", pairing: "never", limit: "signIn", signIn: true } as const;
  scope.post("/sign-in", { bodyLimit: BODY_LIMIT_BYTES, config }, async (request) => {
    const { code, person } = await signingIn.admit(readToken(request.body));
    request.log.info({ person: person.id, name: person.name }, "Somebody signed in.");
    return { code };
  });
}

function readToken(body: unknown): string {
  const { token } = Object(body) as { token?: unknown };
  if (typeof token === "string") return token;
  throw new Refusal(400, 'Send an access token as {"token": "..."}.', "FEED_REQUEST_INVALID");
}
