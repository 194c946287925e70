import { Refusal } from "../refusal";

/** How a sign-in may fail, as far as the person who tries it needs to tell. */
export type SignInFault = "begin" | "declined" | "unfit" | "ended" | "unreachable" | "failed";

const STATUSES: Readonly<Record<SignInFault, number>> = {
  begin: 400,
  declined: 403,
  unfit: 403,
  ended: 400,
  unreachable: 503,
  failed: 502,
};

/** Why somebody is not signed in, in words that hold nothing of a token or a code. */
export class SignInRefusal extends Refusal {
  constructor(
    readonly fault: SignInFault,
    message: string,
  ) {
    super(STATUSES[fault], message);
  }
}
