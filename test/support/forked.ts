import { fork } from "node:child_process";
import { join } from "node:path";

const LOADER = join(__dirname, "typescript.cjs");

/**
 * Starts a TypeScript program that answers by `answerOrders`, in a process of its own, so that its work does not count
 * for those who are measured.
 */
export async function startForked<Begun, Order extends object, Reply>(path: string, ...words: string[]) {
  const child = fork(path, words, { execArgv: ["--require", LOADER] });
  const waiting: ((message: never) => void)[] = [];
  child.on("message", (message) => waiting.shift()?.(message as never));
  const receive = <Message>() => new Promise<Message>((resolve) => void waiting.push(resolve));
  const begun = await receive<Begun>();
  /** Orders are answered in turn. */
  const order = (given: Order) => {
    child.send(given);
    return receive<Reply>();
  };
  return { pid: child.pid!, begun, order, close: (): void => child.disconnect() };
}

/** Sends the first message of a forked program, answers its orders, and ends it with its starter. */
export function answerOrders<Order>(begun: unknown, answer: (order: Order) => unknown = () => null): void {
  process.on("message", (order) => process.send?.(answer(order as Order)));
  process.on("disconnect", () => process.exit());
  process.send?.(begun);
}
