/** What a formula shows, as it goes to a cell: rows of cells, or an error that has a code and a message. */
export type Shown = readonly (readonly unknown[])[] | { code: string; message?: string };
