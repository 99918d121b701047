import type { ISubscribePacket, IUnsubscribePacket, Packet } from 'mqtt-packet';
import { PacketError, REASON, SUBACK_FAILURE } from '../packets/reasons.ts';
import type { Version } from '../packets/version.ts';
import type { Hub } from '../sessions/hub.ts';
import type { Asked } from '../sessions/link.ts';
import type { Removals } from './removals.ts';
import type { Session } from '../sessions/session.ts';
import { subscriptionRefusal } from '../topics.ts';

/** Client that subscribes, and how it is answered. */
export interface Subscriber {
  readonly hub: Hub;
  readonly removals: Pick<Removals, 'check'>;
  readonly session: Session;
  readonly version: Version;
  readonly send: (packet: Packet) => void;
}

/** 3.8: each filter has its own answer. */
export async function subscribe(
  { messageId = 0, subscriptions, properties }: ISubscribePacket,
  { hub, removals, session, version, send }: Subscriber,
): Promise<void> {
  if (subscriptions.length === 0)
    throw new PacketError(REASON.protocolError, 'A SUBSCRIBE has one filter at least (3.8.3).');
  const id = properties?.subscriptionIdentifier ?? null;
  if (id !== null && (typeof id !== 'number' || id < 1))
    throw new PacketError(
      REASON.protocolError,
      'A SUBSCRIBE has one Subscription Identifier, from 1 on (MQTT 5, 3.8.2.1.2).',
    );
  const granted: number[] = [];
  const taken: Asked[] = [];
  for (const { topic: filter, qos, nl = false, rap = false, rh = 0 } of subscriptions) {
    const refused = subscriptionRefusal(filter, session.device);
    granted.push(refused === null ? qos : version === 5 ? refused : SUBACK_FAILURE);
    if (refused !== null) continue;
    const subscription = { filter, qos, noLocal: nl, retainAsPublished: rap, id };
    taken.push({ subscription, retainHandling: rh });
  }
  const due = await hub.subscribe(session, taken);
  // Of records that went a moment ago nothing is sent.
  await removals.check(session.device);
  send({ cmd: 'suback', messageId, granted });
  await hub.sendRetained(session, due);
}

/** 3.10, 3.11. */
export async function unsubscribe(
  { messageId = 0, unsubscriptions }: IUnsubscribePacket,
  { hub, session, send }: Subscriber,
): Promise<void> {
  if (unsubscriptions.length === 0)
    throw new PacketError(REASON.protocolError, 'An UNSUBSCRIBE has one filter at least (3.10.3).');
  const granted: number[] = [];
  for (const filter of unsubscriptions) {
    const was = await hub.unsubscribe(session, filter);
    granted.push(was ? REASON.success : REASON.noSubscriptionExisted);
  }
  send({ cmd: 'unsuback', messageId, granted });
}
