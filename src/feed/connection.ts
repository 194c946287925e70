/** Where the provider is, as this client reaches it. */
export interface Connection {
  /** The provider's base URL, or the companion's relay to it. */
  baseUrl: string;
  /** The token endpoint, {base URL}/token (§4.1). */
  tokenUrl: string;
  /** Whether both are the companion's relay. */
  isRelayed: boolean;
  /** How many companies may be asked for at once: more than 25 of a companion that takes requests apart itself; default 25. */
  companiesAtOnce?: number;
}
