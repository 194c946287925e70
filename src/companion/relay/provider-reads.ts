/** One query to the provider, as the firm's client. */
export interface ProviderQuery {
  method: "GET" | "POST";
  /** The operation's path with its query, checked; it continues the provider's base URL. */
  path: string;
  /** JSON, of a POST. */
  body?: Buffer;
}

/** What the provider said, whole and unpacked, with no secret of ours in it. */
export interface ProviderAnswer {
  status: number;
  /** Those that a client acts on. */
  headers: Readonly<Record<string, string>>;
  body: Buffer;
}

/** Reads of the provider that belong to no one caller: whoever leaves does not end them. */
export interface ProviderReads {
  /**
   * Asks the provider once, once more where it has refused the token, and once more beside a request that is slow; refusals
   * of its own are answers.
   * @throws Refusal (FEED_RATE_LIMITED while the provider asked to wait, or for longer than a caller waits beyond the firm's
   *   own limit; FEED_TIMED_OUT, FEED_NETWORK_FAILED; FEED_SERVER_FAILED of what is no answer); Error of the signer.
   */
  load(query: ProviderQuery): Promise<ProviderAnswer>;
}
