import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Where the build lists the packages that are in each part, a file a part. */
const LISTS = "dist/packages";

/**
 * Lists what the package holds of others, in CycloneDX: npm's list of the locked packages, without those that only
 * build and test, and without the time, so that the same build has the same list.
 */
export function createSbom(root) {
  const { version, name } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const { serialNumber: _, metadata, components, dependencies, ...head } = readLocked(root);
  const parts = readParts(root);
  const isShipped = (reference) => parts.has(reference);
  const shipped = components.filter((each) => isShipped(each["bom-ref"]));
  const own = metadata.component["bom-ref"];
  const bom = {
    metadata: {
      lifecycles: [{ phase: "build" }],
      component: { ...metadata.component, type: "application", name, version, properties: [] },
    },
    components: shipped.map((each) => ({ ...each, scope: "required", properties: parts.get(each["bom-ref"]) })),
    dependencies: dependencies
      .filter(({ ref }) => ref === own || isShipped(ref))
      .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter(isShipped) })),
  };
  const missing = [...parts.keys()].filter((reference) => !shipped.some((each) => each["bom-ref"] === reference));
  if (missing.length > 0) throw new Error(`The lock file does not name what the build holds: ${missing.join(", ")}.`);
  return { ...head, serialNumber: `urn:uuid:${toUuid(JSON.stringify(bom))}`, ...bom };
}

function readLocked(root) {
  const words = ["sbom", "--sbom-format", "cyclonedx", "--package-lock-only"];
  const options = { cwd: root, encoding: "utf8", maxBuffer: 2 ** 26, shell: process.platform === "win32" };
  return JSON.parse(execFileSync("npm", words, options));
}

/** The parts that each package is in, as properties, by the package's reference. */
function readParts(root) {
  const parts = new Map();
  for (const file of readdirSync(join(root, LISTS)).sort()) {
    const value = file.replace(/\.json$/, "");
    for (const reference of JSON.parse(readFileSync(join(root, LISTS, file), "utf8"))) {
      parts.set(reference, [...(parts.get(reference) ?? []), { name: "feed:part", value }]);
    }
  }
  return parts;
}

/** A UUID of a text, of version 8, whose bits are the maker's own. */
function toUuid(text) {
  const bytes = createHash("sha256").update(text).digest().subarray(0, 16);
  bytes[6] = (bytes[6] & 0x0f) | 0x80;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  return bytes.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}
