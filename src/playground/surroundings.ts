/** The globals that Excel provides to the add-in's page, by name. */
export type Surroundings = Record<string, object>;

/** The name of the globals on the playground's page, for the pane's page in its frame. */
export const SURROUNDINGS = "playgroundSurroundings";
