/** Templates that the build has compiled, by `templates-loader.cjs`. */
declare module "*.xml" {
  import type { App } from "@odoo/owl";

  type Compiled = ReturnType<App["_compileTemplate"]>;
  export const templates: Record<string, Compiled>;
  /** Those that stand in the package's script, by their text. */
  export const written: ReadonlyMap<string, Compiled>;
}
declare module "*.css";
