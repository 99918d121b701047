import { LineJournal } from '#core/disk/line-journal.ts';
import type { Files } from '#core/disk/files.ts';
import { Hub } from '#core/mqtt/sessions/hub.ts';
import type { Link } from '#core/mqtt/sessions/link.ts';
import type { Message } from '#core/mqtt/sessions/message.ts';
import { SessionJournal } from '#core/mqtt/sessions/session-journal.ts';
import { lineText, readLines } from '#core/mqtt/sessions/session-lines.ts';
import { Room } from '#core/mqtt/sessions/room.ts';
import type { Session } from '#core/mqtt/sessions/session.ts';
import type { QoS, Subscription } from '#core/mqtt/topics.ts';
import { systemRandom } from '#core/base/system-random.ts';
import { clockOf } from '../../helpers/clock.ts';

const JOURNAL = '/mqtt-sessions.journal';

export const journalOn = (files: Files) =>
  new LineJournal({ path: JOURNAL, files, word: 'fieldbench-mqtt-sessions', version: 1 });

/** A connection that takes whatever it is told. */
const quietLink = (): Link => ({ wake: () => {}, end: () => {} });

/** Sessions as a service has them, kept in a journal on these files. */
export interface KeptSessions {
  readonly hub: Hub;
  readonly log: SessionJournal;
  /** What could not be kept. */
  readonly failures: unknown[];
  readonly room: Room;
  /** What is kept, one line for each thing that is true. */
  lines(): string[];
  connect(device: string, clientId: string): Promise<Session>;
}

/** Opens them as a start does. */
export async function openSessions(files: Files, bytes = 64 * 1024 * 1024): Promise<KeptSessions> {
  const room = new Room(bytes);
  const failures: unknown[] = [];
  const log = new SessionJournal(journalOn(files), () => hub.lines());
  const hub = new Hub({
    log,
    room,
    clock: clockOf(() => 0),
    chance: systemRandom,
    ended: () => {},
    dropped: () => {},
    failed: (error) => failures.push(error),
  });
  const { lines } = await journalOn(files).read();
  hub.restore(readLines(lines, room));
  await log.renew();
  return {
    hub,
    log,
    failures,
    room,
    lines: () => [...hub.lines()].map(lineText),
    connect: async (device, clientId) =>
      (await hub.connect({ device, clientId, isClean: false, expiry: 3600 }, quietLink())).session,
  };
}

export const messageOf = (
  topic: string,
  text: string,
  { qos = 2, retain = false }: { readonly qos?: QoS; readonly retain?: boolean } = {},
): Message => ({
  topic,
  payload: Buffer.from(text),
  qos,
  retain,
  properties: {},
  expiresAt: null,
  at: 0,
  times: null,
  from: null,
});

export const subscriptionTo = (filter: string, qos: QoS = 2): Subscription => ({
  filter,
  qos,
  noLocal: false,
  retainAsPublished: false,
  id: null,
});
