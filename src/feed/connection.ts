/** Where the provider is, as this client reaches it. */
export interface Connection {
  /** The provider's base URL, or the companion's relay to it. */
  baseUrl: string;
  /** The token endpoint, {base URL}/token (§4.1). */
  tokenUrl: string;
  /** Whether both are the companion's relay. */
  isRelayed: boolean;
}
