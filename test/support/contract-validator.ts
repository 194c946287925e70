import { Validator } from "@seriousme/openapi-schema-validator";

const { getAjvValidator } = Validator.prototype as unknown as Validating;

interface Validating {
  getAjvValidator(version: string): unknown;
}

const compiled = new Map<string, unknown>();

/** Compiled once a file, since every sandbox checks its contract with the same OpenAPI schema. */
Object.assign(Validator.prototype, {
  getAjvValidator(this: Validating, version: string): unknown {
    if (!compiled.has(version)) compiled.set(version, getAjvValidator.call(this, version));
    return compiled.get(version);
  },
});
