import { cpSync, existsSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Certificate, ensureCertificate } from "../../src/companion/certificate";

/** Gives the run's certificate of https, created on first use and shared by all files, since creation is slow. */
export const readTestCertificate = async (): Promise<Certificate> =>
  (await ensureCertificate(await findFolder(), Date.now())).certificate;

/** Copies the run's certificate into a new folder, for a test that names or changes its files. */
export async function createCertificateFolder(): Promise<string> {
  const copy = mkdtempSync(join(tmpdir(), "feed-certificate-"));
  cpSync(await findFolder(), copy, { recursive: true });
  return copy;
}

/** Another worker may create it too: the first one wins, and none reads half of one. */
async function findFolder(): Promise<string> {
  const folder = join(process.env.TEST_KEYS ?? tmpdir(), "certificate");
  if (existsSync(folder)) return folder;
  const unfinished = `${folder}.${process.pid}`;
  await ensureCertificate(unfinished, Date.now());
  try {
    renameSync(unfinished, folder);
  } catch (error) {
    if (!existsSync(folder)) throw error;
    rmSync(unfinished, { recursive: true });
  }
  return folder;
}
