import type { OwnRequest } from "../../src/companion/api/pairing";
import { CLIENT_HEADER, CLIENT_NAME } from "../../src/contract/companion-api";
import { sendRaw } from "./raw-request";

const PAGE = { [CLIENT_HEADER]: CLIENT_NAME, "content-type": "application/json" };

/** Requests a code from the companion as a page does; the terminal then creates it. */
export async function requestCode(port: number, headers: Record<string, string> = {}): Promise<OwnRequest> {
  const { body } = await sendRaw(port, "POST", "/companion/pairing/request", { ...PAGE, ...headers }, "{}");
  return JSON.parse(body);
}
