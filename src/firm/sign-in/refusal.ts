import { Refusal } from "../../companion/refusal";

/** Kinds of failed sign-ins, as the person sees them. */
export const SIGN_IN_FAULTS = ["begin", "declined", "unfit", "ended", "unreachable", "failed"] as const;

export type SignInFault = (typeof SIGN_IN_FAULTS)[number];

const STATUSES: Readonly<Record<SignInFault, number>> = {
  begin: 400,
  declined: 403,
  unfit: 403,
  ended: 400,
  unreachable: 503,
  failed: 502,
};

/** A failed sign-in, in words without a token or code. */
export class SignInRefusal extends Refusal {
  constructor(
    readonly fault: SignInFault,
    message: string,
  ) {
    super(STATUSES[fault], message);
  }
}
