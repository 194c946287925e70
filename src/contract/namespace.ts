/** Default prefix of the formulas' names. */
export const DEFAULT_NAMESPACE = "FEED";

/** Capitals and digits, which Excel accepts; no underscore, which stands for a dot in files. */
export const NAMESPACE_SHAPE = /^[A-Z][A-Z0-9]{1,19}$/;

/** The query parameter of another namespace in the pane's address: the page is the same for all. */
export const NAMESPACE_PARAMETER = "namespace";
