import { fork } from "node:child_process";
import { join } from "node:path";

const LOADER = join(__dirname, "typescript.cjs");

/** A program in a process of its own, so that its work does not count for those who are measured. */
interface Forked<Begun, Order, Reply> {
  pid: number;
  /** Its first message. */
  begun: Begun;
  /** Gives an order; orders are answered in turn. */
  order(order: Order): Promise<Reply>;
  close(): void;
}

/** Starts a TypeScript program that answers by `answerOrders`. */
export async function startForked<Begun, Order extends object, Reply>(
  path: string,
  ...words: string[]
): Promise<Forked<Begun, Order, Reply>> {
  const child = fork(path, words, { execArgv: ["--require", LOADER] });
  const waiting: ((message: never) => void)[] = [];
  child.on("message", (message) => waiting.shift()?.(message as never));
  const receive = <Message>() => new Promise<Message>((resolve) => void waiting.push(resolve));
  const begun = await receive<Begun>();
  const order = (given: Order) => {
    child.send(given);
    return receive<Reply>();
  };
  return { pid: child.pid!, begun, order, close: () => void child.disconnect() };
}

/** Sends the first message of a forked program, answers its orders, and ends it with its starter. */
export function answerOrders<Order>(begun: unknown, answer: (order: Order) => unknown = () => null): void {
  process.on("message", (order) => process.send?.(answer(order as Order)));
  process.on("disconnect", () => process.exit());
  process.send?.(begun);
}
