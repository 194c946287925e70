/** Templates that the build has compiled, by `templates-loader.cjs`. */
declare module "*.xml" {
  import type { App } from "@odoo/owl";

  export type Compiled = ReturnType<App["_compileTemplate"]>;
  export const templates: Record<string, Compiled>;
  /** Those without a name, by their text. */
  export const written: ReadonlyMap<string, Compiled>;
}
declare module "*.css";
