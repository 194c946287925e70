import { Refusal } from "../../refusal";

/** About as long as a full queue takes at the default of what a firm asks for in a minute, be nobody else there. */
const RETRY_SECONDS = 20;

/** Somebody's own queue to the provider is full: nobody else is refused by it. */
export class QueueFull extends Refusal {
  constructor() {
    const sentence = `You wait for as much of the provider as one may: try again in ${RETRY_SECONDS} s.`;
    super(429, sentence, "FEED_RATE_LIMITED", RETRY_SECONDS);
  }
}

/** With the pane's own waits, so that it asks twice more before its cells say so. */
const NOT_YET_SECONDS = 6;

/** More is asked for than the firm's limit lets through: everybody's turn comes, and this one's has not yet. */
export class NotYet extends Refusal {
  constructor() {
    const sentence = `Others are before you at the provider: try again in ${NOT_YET_SECONDS} s.`;
    super(429, sentence, "FEED_RATE_LIMITED", NOT_YET_SECONDS);
  }
}
