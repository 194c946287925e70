/** What the formulas' names begin with, unless a manifest says otherwise. */
export const DEFAULT_NAMESPACE = "FEED";

/** Letters and digits are what Excel takes; in capitals, and without the underscore that stands for a dot in files. */
export const NAMESPACE_SHAPE = /^[A-Z][A-Z0-9]{1,19}$/;

/** Carries another namespace in the pane's address: the page is the same for all. */
export const NAMESPACE_PARAMETER = "namespace";
