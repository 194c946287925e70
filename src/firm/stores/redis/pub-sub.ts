import { randomUUID } from "node:crypto";
import type { PubSub } from "../../stores";
import { createMemoryPubSub } from "../memory";
import type { Link } from "./link";

/** Messages by way of the server. */
export interface SharedPubSub extends PubSub {
  channel: string;
  /** Gives the text to publish on the channel, for use within a transaction. */
  toMessage(topic: string, said: string): string;
}

interface Message {
  from: string;
  topic: string;
  said: string;
}

/** Part of the channel's name, so that versions with another form do not read each other's messages. */
const FORM = 1;

/** Creates messages, which arrive here at once and elsewhere by way of the server. */
export function createRedisPubSub(link: Link, prefix: string): SharedPubSub {
  const own = createMemoryPubSub();
  const id = randomUUID();
  // Redis separates databases, but not channels.
  const channel = `${prefix}notices:${FORM}:${link.commands.options.db ?? 0}`;
  const toMessage = (topic: string, said: string) => JSON.stringify({ from: id, topic, said } satisfies Message);
  link.onBeat(async (_redis, isNew) => {
    if (isNew) await link.subscriber.subscribe(channel);
  });
  link.subscriber.on("message", (_channel, text) => {
    try {
      const { from, topic, said }: Message = JSON.parse(text);
      if (from !== id) own.publish(topic, said);
    } catch {
      // Another program's message: it must not end every instance.
    }
  });
  return {
    channel,
    toMessage,
    publish(topic, said) {
      own.publish(topic, said);
      void link.attempt(
        (redis) => redis.publish(channel, toMessage(topic, said)),
        () => 0,
      );
    },
    subscribe: own.subscribe,
  };
}
