import type { ServerResponse } from "node:http";
import { createProviderServer, type ProviderServer, type Seen } from "./provider-server";

/** How the provider answers; every mode but the first quotes its request. */
export const ANSWER_MODES = ["well", "quoting", "redirecting", "html", "breaking"] as const;
export type AnswerMode = (typeof ANSWER_MODES)[number];

export interface CanaryProvider extends ProviderServer {
  mood: AnswerMode;
  status: number;
}

/** Starts a provider that issues a marked token and, in any mode but "well", quotes its requests. */
export async function startCanaryProvider(token: string): Promise<CanaryProvider> {
  const server = await createProviderServer((_request, response) => {
    const request = server.seen.at(-1)!;
    if (provider.mood !== "well") return answerBadly(provider, request, response);
    const isToken = request.url === "/token";
    const body = isToken ? { access_token: token, token_type: "bearer", expires_in: 300 } : [];
    return void response.setHeader("set-cookie", `sid=${token}`).end(JSON.stringify(body));
  });
  const provider: CanaryProvider = Object.assign(server, { mood: "well" as const, status: 500 });
  return provider;
}

function answerBadly({ mood, status }: CanaryProvider, { headers, body }: Seen, response: ServerResponse): void {
  const bearer = headers.authorization?.replace("Bearer ", "") ?? "";
  const said = [bearer, ...new URLSearchParams(body).values()].join(" ");
  if (mood === "breaking") return void response.destroy();
  if (mood === "redirecting") {
    return void response.writeHead(302, { location: `https://other.example/?said=${encodeURIComponent(said)}` }).end();
  }
  const isHtml = mood === "html";
  const json = { error: { code: "quoted", message: said, traceId: bearer || "trace-1" }, error_description: said };
  response.writeHead(isHtml ? 502 : status, {
    "content-type": isHtml ? "text/html" : "application/json",
    "www-authenticate": `Bearer error="${said}"`,
    "retry-after": "0",
    "x-said": said,
    "set-cookie": `said=${encodeURIComponent(said)}`,
  });
  response.end(isHtml ? `<p>${said}</p><p>${Buffer.from(said).toString("base64")}</p>` : JSON.stringify(json));
}
