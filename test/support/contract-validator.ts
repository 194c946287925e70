import { Validator } from "@seriousme/openapi-schema-validator";

const { getAjvValidator } = Validator.prototype as unknown as Validating;

interface Validating {
  getAjvValidator(version: string): unknown;
}

const compiled = new Map<string, unknown>();

/** Every sandbox checks its contract with the same schema of OpenAPI: it is compiled once for all of a file. */
Object.assign(Validator.prototype, {
  getAjvValidator(this: Validating, version: string): unknown {
    if (!compiled.has(version)) compiled.set(version, getAjvValidator.call(this, version));
    return compiled.get(version);
  },
});
