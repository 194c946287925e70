import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { BUILD_ADVICE } from "../companion/program";

/** Assistants want a skill's folder to have its name. */
const NAME = "feed-for-excel";

/**
 * Writes the skill that the build has made of the formulas.
 * @param folder the folder of an assistant's skills
 * @param webFolder the folder of the built pages
 * @returns a sentence that says where it is
 * @throws Error with the cure where there is no build, another skill of that name, or nothing can be written
 */
export function writeSkill(folder: string, webFolder: string, { replace = false }: { replace?: boolean } = {}): string {
  const source = join(webFolder, "reference", "skill.md");
  if (!existsSync(source)) throw new Error(`The skill is not built. ${BUILD_ADVICE}`);
  const text = readFileSync(source, "utf8");
  const path = join(resolve(folder), NAME, "SKILL.md");
  if (!replace && existsSync(path)) {
    if (readFileSync(path, "utf8") === text) return `The skill in ${path} is this version's already.`;
    throw new Error(`${path} is there already and differs. Give --replace to replace it, or choose another folder.`);
  }
  try {
    mkdirSync(join(path, ".."), { recursive: true });
    writeFileSync(path, text);
  } catch (error) {
    throw new Error(`${path} cannot be written (${(error as NodeJS.ErrnoException).code}). Choose another folder.`);
  }
  return `The skill is in ${path}. Start your assistant anew, so that it finds it.`;
}
