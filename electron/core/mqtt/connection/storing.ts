import type { IPublishPacket } from 'mqtt-packet';
import { andThen, type Awaitable } from '../../base/awaitable.ts';
import type { Clock } from '../../base/clock.ts';
import { Refusal } from '../../base/errors.ts';
import { answerUntil } from '../../ingest/answer-until.ts';
import { senderOfToken } from '../../ingest/authenticate.ts';
import type { Ingest } from '../../ingest/ingest.ts';
import type { Payload } from '../../ingest/upload.ts';
import type { Metadata } from '../../store/metadata/metadata.ts';
import type { Version } from '../packets/version.ts';
import { readRecords } from './reading.ts';
import { timesOf, type Message } from '../sessions/message.ts';
import { receiptOf, receive, refuse, repeatedBy } from '../sessions/receiving.ts';
import { PacketError, REASON, type Reason } from '../packets/reasons.ts';
import type { Receiving, Session } from '../sessions/session.ts';
import type { SessionLog } from '../sessions/session-log.ts';

export interface StoringParts {
  readonly ingest: Ingest;
  readonly metadata: Metadata;
  readonly clock: Clock;
  readonly log: SessionLog;
}

/** Publisher of a message. */
export interface Publisher {
  readonly version: Version;
  readonly session: Session;
  readonly tokenHash: string;
  /** Whether the session is still this connection's. */
  readonly isCurrent: () => boolean;
}

/** Why a message was not taken. */
export interface Refused {
  readonly reason: Reason;
  readonly message: string;
}

/** Outcome of a message. */
export interface Stored {
  /** Null: its records are on disk. */
  readonly refused: Refused | null;
  /** Of a QoS 2 message: sent again before it was acknowledged, it comes more than once. */
  readonly receiving: Receiving | null;
  /** How many records it brought. */
  readonly count: number;
  /** Their times, as a message notes them. */
  readonly times: Message['times'];
}

/**
 * Stores a message as whatever its device sends, by whichever door. Rejects with PacketError where the connection is to end,
 * and with StoreError or ThreadError where the message is to be sent again.
 */
export async function storeMessage(
  packet: IPublishPacket,
  publisher: Publisher,
  parts: StoringParts,
): Promise<Stored> {
  const { session, version } = publisher;
  const { qos, topic } = packet;
  if (topic !== session.device) {
    const message = `The topic of this device is ${session.device}, got "${topic.slice(0, 100)}".`;
    return { refused: { reason: REASON.notAuthorized, message }, receiving: null, count: 0, times: null };
  }
  const known = qos === 2 ? repeatedBy(packet, session) : undefined;
  if (known?.isDone === true) return { refused: null, receiving: known, count: 0, times: null };
  try {
    // What is there at once is not waited for: thousands of messages a second come by here.
    const stored = store(packet, publisher, parts);
    return stored instanceof Promise ? await stored : stored;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    // Renewed, or deleted: the connection ends.
    if (error.status === 401) throw new PacketError(REASON.administrative, error.message, { cause: error });
    if (qos === 2 && !publisher.isCurrent()) throw takenOver();
    if (qos === 2) await refuse(session, packet, { version, log: parts.log });
    return {
      refused: { reason: REASON.payloadInvalid, message: error.message },
      receiving: null,
      count: 0,
      times: null,
    };
  }
}

/** Takes a message for refused that was not even read. Rejects with StoreError. */
export async function refuseMessage(
  packet: IPublishPacket,
  refused: Refused,
  { session, version }: Publisher,
  { log }: Pick<StoringParts, 'log'>,
): Promise<Stored> {
  if (packet.qos === 2) await refuse(session, packet, { version, log });
  return { refused, receiving: null, count: 0, times: null };
}

/** Throws, or rejects, where its records are not on disk. */
function store(
  packet: IPublishPacket,
  { session, version, tokenHash, isCurrent }: Publisher,
  { ingest, metadata, clock, log }: StoringParts,
): Awaitable<Stored> {
  const { qos, retain, payload, properties } = packet;
  const bytes = payload as Buffer;
  // An empty one that is retained stores nothing: it takes away what is retained (3.3.1.3).
  const isEmpty = bytes.length === 0 && retain;
  const firstMs = answerUntil();
  // The time of receipt is that of the packet: while its device is looked up in a database, a later one may find it known.
  const received = clock.now();
  const now = () => received;
  return andThen(senderOfToken(metadata, tokenHash, { untilMs: firstMs }), (first) => {
    const content = { device: first.device, version, bytes, contentType: properties?.contentType };
    const read = isEmpty ? null : readRecords({ ingest, now }, content);
    const whole = read instanceof Promise ? whenRead(read, tokenHash, metadata) : null;
    return andThen(
      whole ?? { sender: first, records: read as Payload | null, untilMs: firstMs },
      ({ sender, records, untilMs }) => {
        // Sent again over the next connection by now, it may be over already: its identifier is another message's then.
        if (qos === 2 && !isCurrent()) throw takenOver();
        return andThen(qos === 2 ? receive(session, packet, log) : null, async (receiving) => {
          const receipt = receiving === null ? undefined : receiptOf(session, receiving);
          if (records !== null) await ingest.store(sender, records, { receipt, untilMs });
          const count = records?.count ?? 0;
          if (receiving !== null) receiving.isDone = true;
          return { refused: null, receiving, count, times: timesOf(records) };
        });
      },
    );
  });
}

/** Looks the token up again: it may have been renewed, or its device deleted, while the payload was read. */
async function whenRead(read: Promise<Payload>, tokenHash: string, metadata: Metadata) {
  const records = await read;
  const untilMs = answerUntil();
  return { sender: await senderOfToken(metadata, tokenHash, { untilMs }), records, untilMs };
}

const takenOver = () => new PacketError(REASON.sessionTakenOver, 'Its client has connected once more.');
