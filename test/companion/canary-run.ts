import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { globalAgent } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { jest } from "@jest/globals";
import type { FastifyInstance } from "fastify";
import { runCommand } from "../../src/companion/command";
import { CLIENT_HEADER, CLIENT_NAME, HELD, PAIRING_HEADER } from "../../src/contract/companion-api";
import { createMarks } from "./canary-marks";
import type { CanaryProvider } from "./canary-provider";
import { createPages } from "./pages-folder";
import { reuseKeys } from "./quick-keys";
import { readPort, sendRaw } from "./raw-request";

export const READ = "/companion/relay/asia/industry-taxonomies/v1/tree";
export const JSON_TYPE = { "content-type": "application/json" };
const FORM = { "content-type": "application/x-www-form-urlencoded" };
const CODE = /\b([2-9A-HJ-NP-Z]{4}-[2-9A-HJ-NP-Z]{4})\b/;

export const listFiles = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile());

/** What a command printed for the person, and what went into the log or was its error. */
interface Written {
  words: readonly string[];
  output: string;
  errors: string;
}

/** A life of the companion and its commands in its own folder; all output is recorded. */
export class CanaryRun {
  readonly marks = createMarks();
  readonly folder = mkdtempSync(join(tmpdir(), "feed-canary-"));
  readonly places: Record<string, string> = {};
  /** The answers that must contain a secret. */
  readonly due: Record<string, string> = {};
  readonly written: Written[] = [];
  #app: FastifyInstance | undefined;
  #headers: Record<string, string> = { [CLIENT_HEADER]: CLIENT_NAME };
  readonly #webFolder = createPages();

  constructor(
    readonly provider: CanaryProvider,
    readonly environment: NodeJS.ProcessEnv,
  ) {
    Object.assign(environment, { HOST: "127.0.0.1", PORT: "0", LOG_LEVEL: "trace", ...environment });
    reuseKeys();
    jest.spyOn(process.stderr, "write").mockImplementation((part) => {
      this.written.at(-1)!.errors += part;
      return true;
    });
  }

  get bearer(): string {
    return this.#headers[PAIRING_HEADER] ?? "";
  }

  /** Runs a command; a code that it prints is marked. */
  async run(words: string[], changed: NodeJS.ProcessEnv = {}): Promise<string> {
    const written: Written = { words, output: "", errors: "" };
    this.written.push(written);
    const print = (line: string) => {
      written.output += `${line}\n`;
    };
    const places = { webFolder: this.#webFolder, folder: this.folder, certificateFolder: join(this.folder, "https") };
    const environment = { ...this.environment, ...changed };
    try {
      this.#app = (await runCommand(words, { environment, print, ...places })) ?? this.#app;
    } catch (error) {
      written.errors += (error as Error).message;
    }
    return this.#markCode(written.output);
  }

  /** Starts or restarts the companion, always at the same port, since pairings are per origin. */
  async start(): Promise<void> {
    await this.#app?.close();
    globalAgent.destroy(); // its connections are of the former one
    await this.run(["start"]);
    this.environment.PORT = String(readPort(this.#app!));
  }

  #markCode(output: string): string {
    const code = CODE.exec(output)?.[1];
    if (code !== undefined) this.marks.add("code", code, code.replace("-", ""));
    return code ?? "";
  }

  async send(method: string, path: string, more: Record<string, string> = {}, body = "", isDue = false) {
    const port = Number(this.environment.PORT);
    const host = `127.0.0.1:${port}`;
    const answer = await sendRaw(port, method, path, { host, ...this.#headers, ...more }, body);
    const whole = `${answer.status} ${JSON.stringify(answer.headers)} ${answer.body}`;
    const places = isDue ? this.due : this.places;
    places[`answer ${Object.keys(places).length} to ${method} ${path}`] = whole;
    return answer;
  }

  /** Requests a code as a page does, and creates it by the command; gives it in the page's form. */
  async requestAndMakeCode(): Promise<string> {
    const { body } = await this.send("POST", "/companion/pairing/request", JSON_TYPE, "{}", true);
    const { name, secret } = JSON.parse(body);
    this.marks.add("secret of a page", secret);
    return `${await this.run(["pair", name])}.${secret}`;
  }

  async pair(code: string): Promise<void> {
    delete this.#headers[PAIRING_HEADER];
    const { body } = await this.send("POST", "/companion/pairing", JSON_TYPE, JSON.stringify({ code }), true);
    const { bearer } = JSON.parse(body);
    this.marks.add("bearer", bearer);
    this.#headers[PAIRING_HEADER] = bearer;
  }

  /** Requests an assertion and exchanges it as the pane does; gives the token, if any. */
  async exchange(mode: "sign" | "relay"): Promise<string | undefined> {
    const isDue = mode === "sign";
    const signed = await this.send("POST", "/companion/assertion?refused=kid-0", JSON_TYPE, "{}", isDue);
    const form = new URLSearchParams({
      grant_type: "client_credentials",
      client_id: "client-1",
      client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
      client_assertion: JSON.parse(signed.body).assertion,
    });
    const isGood = this.provider.mood === "well";
    const { body } = await this.send("POST", "/companion/relay/token", FORM, String(form), isDue && isGood);
    return /"access_token":"([^"]+)"/.exec(body)?.[1];
  }

  /** Ends the companion, and records the rest of the output. */
  async end(): Promise<void> {
    await this.#app?.close();
    jest.restoreAllMocks();
    for (const [index, { words, output, errors }] of this.written.entries()) {
      this.places[`errors of ${index} ${words[0]}`] = errors;
      this.places[`output of ${index} ${words[0]}`] = output.replaceAll(
        new RegExp(CODE, "g"),
        "(a code for the person)",
      );
    }
    const assertions = this.provider.seen.flatMap(
      ({ body }) => new URLSearchParams(body).get("client_assertion") ?? [],
    );
    for (const assertion of assertions.filter((each) => each !== HELD)) {
      this.marks.add("assertion", ...assertion.split(".").slice(1));
    }
  }

  find(texts = this.places): string[] {
    return Object.entries(texts).flatMap(([place, text]) => this.marks.find(text).map((name) => `${name} in ${place}`));
  }

  findInFiles(paths: readonly string[]): string[] {
    return this.find(Object.fromEntries(paths.map((path) => [path, readFileSync(path, "latin1")])));
  }

  remove(): void {
    rmSync(this.folder, { recursive: true });
  }
}
