import { randomUUID } from "node:crypto";
import type { PubSub } from "../../stores";
import { createMemoryPubSub } from "../memory";
import type { Link } from "./link";

/** Notices by way of the server. */
export interface SharedPubSub extends PubSub {
  channel: string;
  /** What is published on the channel to tell the other instances: within a transaction, where both or nothing is to happen. */
  toMessage(topic: string, said: string): string;
}

interface Message {
  from: string;
  topic: string;
  said: string;
}

/** Told in the channel's name, so that another version, which writes otherwise, is not heard. */
const FORM = 1;

/** Creates notices, which are heard here at once and elsewhere by way of the server. */
export function createRedisPubSub(link: Link, prefix: string): SharedPubSub {
  const own = createMemoryPubSub();
  const id = randomUUID();
  // Redis keeps databases apart, but not what is published.
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
      // Another program's: whoever may publish here could else end every instance at once.
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
