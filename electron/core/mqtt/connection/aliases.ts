import type { IPublishPacket } from 'mqtt-packet';
import { MOST_ALIASES } from '../limits.ts';
import { PacketError, REASON } from '../packets/reasons.ts';
import type { Version } from '../packets/version.ts';
import { isTopicName } from '../topics.ts';

/** Topic aliases of one connection (MQTT 5, 3.3.2.3.4). */
export class Aliases {
  readonly #topics = new Map<number, string>();

  /** The message with the topic that it names, or stands for. Throws PacketError. */
  named(packet: IPublishPacket, version: Version): IPublishPacket {
    const topic = this.#topicOf(packet, version);
    if (!isTopicName(topic))
      throw new PacketError(
        REASON.topicInvalid,
        'A topic name has no wildcards, and one character at least (4.7).',
      );
    return topic === packet.topic ? packet : { ...packet, topic };
  }

  #topicOf({ topic, properties }: IPublishPacket, version: Version): string {
    const alias = properties?.topicAlias;
    if (alias === undefined) {
      if (topic === '' && version === 5)
        throw new PacketError(REASON.protocolError, 'A message has a topic, or an alias (MQTT 5, 3.3.2.1).');
      return topic;
    }
    if (alias < 1 || alias > MOST_ALIASES)
      throw new PacketError(
        REASON.topicAliasInvalid,
        `Topic aliases are 1 to ${MOST_ALIASES} here (MQTT 5, 3.3.2.3.4).`,
      );
    if (topic !== '') this.#topics.set(alias, topic);
    const known = this.#topics.get(alias);
    if (known === undefined)
      throw new PacketError(REASON.protocolError, `Topic alias ${alias} was never set (MQTT 5, 3.3.2.3.4).`);
    return known;
  }
}
