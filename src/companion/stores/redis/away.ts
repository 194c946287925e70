import { Refusal } from "../../refusal";

/** What only the server knows, or must not be done without it: to go on alone would let somebody in, or out, by chance. */
export function refuseAway(): never {
  throw new Refusal(
    503,
    "The server that keeps who is paired (FEED_STORE) does not answer: try again in a minute, or see whether it runs.",
    "FEED_SERVER_FAILED",
    1,
  );
}
