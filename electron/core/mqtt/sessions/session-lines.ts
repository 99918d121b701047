import { z } from 'zod';
import { parseJson } from '#shared/values/json.ts';
import { messageIn, messageLine, messageOut, qosValue } from './message-line.ts';
import { weightOf, type Message } from './message.ts';
import { notedBefore } from './receiving.ts';
import type { Room } from './room.ts';
import { packetIdOf, Session, type Noted, type Queued } from './session.ts';
import type { Subscription } from '../topics.ts';

/*
 * What of sessions outlives the service, as lines of JSON (docs/storage-format.md, "MQTT sessions"). Each says how
 * something is from now on, so that a line that is read twice, or behind a state that has it already, changes nothing.
 */

const whole = z.int().min(0);

const subscriptionLine = z.object({
  filter: z.string(),
  qos: qosValue,
  noLocal: z.boolean(),
  retainAsPublished: z.boolean(),
  id: z.int().min(1).nullable(),
});

const line = z.discriminatedUnion('is', [
  z.object({
    is: z.literal('session'),
    uid: z.string(),
    device: z.string(),
    clientId: z.string(),
    expiry: whole,
    awaySince: z.number().nullable(),
    lastDelivery: whole,
    lastReceived: whole,
    subscriptions: z.array(subscriptionLine),
  }),
  z.object({ is: z.literal('ended'), uid: z.string() }),
  z.object({
    is: z.literal('queued'),
    uid: z.string(),
    n: whole.min(1),
    qos: qosValue,
    retain: z.boolean(),
    subscriptionIds: z.array(z.int()),
    message: messageLine,
    isSent: z.boolean().default(true),
  }),
  z.object({ is: z.literal('received'), uid: z.string(), n: whole }),
  z.object({ is: z.literal('delivered'), uid: z.string(), n: whole }),
  z.object({
    is: z.literal('receiving'),
    uid: z.string(),
    id: whole,
    n: whole,
    isHandedOn: z.boolean(),
    digest: z.string().nullable().default(null),
  }),
  z.object({ is: z.literal('released'), uid: z.string(), id: whole }),
  z.object({ is: z.literal('retained'), device: z.string(), message: messageLine.nullable() }),
  z.object({ is: z.literal('forgotten'), device: z.string(), before: z.number().optional() }),
]);
export type SessionLine = z.infer<typeof line>;

export const lineText = (value: SessionLine): string => JSON.stringify(value);

export function sessionLine(session: Session): SessionLine {
  const { uid, device, clientId, expiry, awaySince, lastDelivery, lastReceived } = session;
  const subscriptions = [...session.subscriptions.values()];
  return {
    is: 'session',
    uid,
    device,
    clientId,
    expiry,
    awaySince,
    lastDelivery,
    lastReceived,
    subscriptions,
  };
}

export function queuedLine(
  uid: string,
  { n, qos, retain, subscriptionIds, message, isSent }: Omit<Queued, 'held'>,
): SessionLine {
  return {
    is: 'queued',
    uid,
    n,
    qos,
    retain,
    subscriptionIds: [...subscriptionIds],
    message: messageOut(message),
    isSent,
  };
}

export const receivingLine = (uid: string, id: number, { n, isHandedOn, digest }: Noted): SessionLine => ({
  is: 'receiving',
  uid,
  id,
  n,
  isHandedOn,
  digest,
});

export function retainedLine(device: string, message: Message | null): SessionLine {
  return { is: 'retained', device, message: message && messageOut(message) };
}

/** Returns all lines of the present session. */
export function* linesOf(session: Session): Generator<SessionLine> {
  const { uid } = session;
  yield sessionLine(session);
  for (const [id, noted] of session.receiving) yield receivingLine(uid, id, noted);
  for (const queued of [...session.unconfirmed.values(), ...session.waiting]) {
    if (queued.n === 0) continue;
    yield queuedLine(uid, queued);
    if (queued.isReceived) yield { is: 'received', uid, n: queued.n };
  }
}

/** Whether a message came no later than then, in ms since 1970. */
const cameBy = ({ at }: Message, thenMs: number) => (at === null ? thenMs === Infinity : at <= thenMs);

/** Stored sessions. */
export interface Kept {
  readonly sessions: Map<string, Session>;
  /** By device. */
  readonly retained: Map<string, Message>;
}

/** Reads lines in their order. Lines that are none of these are counted in `unread`. */
export function readLines(texts: readonly string[], room: Room): Kept & { readonly unread: number } {
  const states = new Map<string, SessionState>();
  const retained = new Map<string, Message>();
  let unread = 0;
  for (const text of texts) {
    const read = line.safeParse(parsed(text));
    if (!read.success) unread++;
    else apply(read.data, states, retained);
  }
  const sessions = new Map<string, Session>();
  for (const [uid, state] of states) sessions.set(uid, built(state, room));
  for (const [device, message] of retained) room.count(device, weightOf(message));
  return { sessions, retained, unread };
}

function parsed(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return null;
  }
}

interface SessionState {
  session: Extract<SessionLine, { is: 'session' }>;
  readonly queued: Map<number, Omit<Queued, 'held'>>;
  readonly receiving: Map<number, Noted>;
  /** The last numbers that were given: also of what is over, since receivers and the record store remember them. */
  lastDelivery: number;
  lastReceived: number;
}

function apply(value: SessionLine, states: Map<string, SessionState>, retained: Map<string, Message>): void {
  if (value.is === 'retained') {
    if (value.message === null) retained.delete(value.device);
    else retained.set(value.device, messageIn(value.device, value.message));
    return;
  }
  if (value.is === 'forgotten') {
    const { device, before = Infinity } = value;
    const message = retained.get(device);
    if (message !== undefined && cameBy(message, before)) retained.delete(device);
    for (const { session, queued } of states.values())
      if (session.device === device)
        for (const [n, each] of queued)
          if (!each.isReceived && cameBy(each.message, before)) queued.delete(n);
    return;
  }
  if (value.is === 'session') {
    const before = states.get(value.uid);
    // While its client is there, nobody notes what it is sent.
    if (value.awaySince === null) for (const each of before?.queued.values() ?? []) each.isSent = true;
    states.set(value.uid, {
      session: value,
      queued: before?.queued ?? new Map(),
      receiving: before?.receiving ?? new Map(),
      lastDelivery: Math.max(before?.lastDelivery ?? 0, value.lastDelivery),
      lastReceived: Math.max(before?.lastReceived ?? 0, value.lastReceived),
    });
    return;
  }
  // One that has ended, or never outlived its connection.
  const state = states.get(value.uid);
  if (state === undefined) return;
  if (value.is === 'queued') state.lastDelivery = Math.max(state.lastDelivery, value.n);
  if (value.is === 'receiving') state.lastReceived = Math.max(state.lastReceived, value.n);
  applyTo(state, value, states);
}

function applyTo(
  { session, queued, receiving }: SessionState,
  value: Extract<SessionLine, { uid: string }>,
  states: Map<string, SessionState>,
): void {
  switch (value.is) {
    case 'ended':
      states.delete(value.uid);
      return;
    case 'queued': {
      const { n, qos: granted, retain, subscriptionIds } = value;
      const isSent = value.isSent || session.awaySince === null;
      const known = queued.get(n);
      const message = messageIn(session.device, value.message);
      const isReceived = known?.isReceived ?? false;
      // Where nobody knows whether it was sent, a receiver must take it for what it may be, another delivery (3.3.1.1).
      queued.set(n, {
        n,
        qos: granted,
        retain,
        subscriptionIds,
        message,
        isReady: true,
        isSent: isSent || known?.isSent === true,
        isReceived,
      });
      return;
    }
    case 'received': {
      const found = queued.get(value.n);
      if (found) found.isReceived = true;
      return;
    }
    case 'delivered':
      queued.delete(value.n);
      return;
    case 'receiving':
      receiving.set(value.id, value);
      return;
    case 'released':
      receiving.delete(value.id);
      return;
    case 'session':
  }
}

function built(state: SessionState, room: Room): Session {
  const { session: about, queued, receiving } = state;
  const session = new Session(about, room);
  session.awaySince = about.awaySince;
  session.lastDelivery = state.lastDelivery;
  session.lastReceived = state.lastReceived;
  for (const each of about.subscriptions) session.subscriptions.set(each.filter, each satisfies Subscription);
  for (const [id, noted] of receiving) session.receiving.set(id, notedBefore(noted));
  const inOrder = [...queued.values()].toSorted((a, b) => a.n - b.n);
  for (const each of inOrder) session.restore(each);
  // What the receiver has is only to be released.
  for (const each of inOrder) if (each.isReceived) session.arrived(packetIdOf(each.n));
  return session;
}
