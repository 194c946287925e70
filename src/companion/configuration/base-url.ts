import { isLoopback } from "../address";
import { type Reading, readRequired } from "./reading";

/** Reads the provider's base URL, without a slash at its end. */
export function readBaseUrl(reading: Reading): string {
  const text = readRequired(reading, "FEED_BASE_URL");
  if (text === "") return text;
  if (!URL.canParse(text)) {
    reading.mistakes.push("FEED_BASE_URL is not an address like https://feed.example.com.");
    return text;
  }
  const url = new URL(text);
  if (url.protocol !== "https:" && !(url.protocol === "http:" && isLoopback(url.hostname))) {
    reading.mistakes.push("FEED_BASE_URL must begin with https:// (http:// is for this machine only).");
  }
  if (url.username !== "" || url.password !== "" || url.search !== "" || url.hash !== "") {
    reading.mistakes.push("FEED_BASE_URL must hold no user name, password, ? or #.");
  }
  return url.origin + url.pathname.replace(/\/+$/, "");
}
