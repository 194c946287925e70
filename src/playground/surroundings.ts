/** What the playground puts around the add-in's page: the globals that Excel would have there, by their names. */
export type Surroundings = Record<string, object>;

/** The name under which the playground's page keeps them for the pane's page inside it. */
export const SURROUNDINGS = "playgroundSurroundings";
