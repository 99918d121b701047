import { z } from 'zod';
import { parseJson } from '#shared/values/json.ts';
import { TOPICS, type AnyEvent, type Topic } from '#shared/domain/events.ts';
import { createEventBus, type EventBus } from '../base/event-bus.ts';
import type { Logger } from '../base/logger.ts';
import { machineClock } from '../base/machine-clock.ts';
import type { Database } from '../store/postgres/connection/connections.ts';

/** How often others are told at most, in ms: about sixteen times a second. */
const TELL_MS = 60;
/** The same over several nodes, each of which is connected to anew: some 15 ms of a processor of each. */
const TELL_NODES_MS = 1000;
/** Bytes of one NOTIFY, which the server limits to 7,999. */
const MOST_BYTES = 7_900;
/** Messages at once; of more the others read anew what they show. */
const MOST_MESSAGES = 8;
const CHANNEL = 'fieldbench_events';

/** Topics that each service keeps to itself: its requests seen. */
const OWN: ReadonlySet<Topic> = new Set<Topic>(['requests.seen']);

const told = z.object({
  from: z.string(),
  /** Absent: more happened than one can tell. */
  events: z.array(z.object({ topic: z.enum(TOPICS), payload: z.looseObject({}) })).optional(),
  /** In place of events: the topics of which more happened; a service that does not know this takes it for all. */
  missed: z.array(z.enum(TOPICS)).optional(),
});

export interface SharedEvents extends EventBus {
  /** Publishes waiting events. */
  close(): Promise<void>;
}

/**
 * The events of all services over one database: those of this service at once, and joined a few times a second to the
 * others. They are hints: one may come late, twice or, where the database was away, never; then subscribers are told that
 * they missed some. Rejects with StoreError.
 */
export async function openSharedEvents({
  database,
  service_id,
  log,
  isSpread,
}: {
  readonly database: Database;
  readonly service_id: string;
  /** Whether the database may have several nodes, of which each service is at one. */
  readonly isSpread: boolean;
  readonly log: Pick<Logger, 'warn'>;
}): Promise<SharedEvents> {
  const local = createEventBus();
  const [sql, tellMs] = isSpread ? [NOTIFY_NODES, TELL_NODES_MS] : [NOTIFY, TELL_MS];
  /** Events to be published; a later one replaces an earlier one of the same name. */
  let waiting = new Map<string, AnyEvent>();
  let timer: NodeJS.Timeout | null = null;
  let telling: Promise<void> = Promise.resolve();

  function tell(): void {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    const events = [...waiting.values()];
    waiting = new Map();
    if (events.length === 0) return;
    const messages = messagesOf(service_id, events);
    telling = telling
      .then(() => database.askAll(messages.map((message) => ({ sql, params: [CHANNEL, message] }))))
      .then(
        () => undefined,
        (error: unknown) =>
          log.warn(`Other services were not told what changed: ${(error as Error).message}`),
      );
  }

  function listener(payload: string): void {
    const read = told.safeParse(parseJson(payload));
    // Of a newer service, perhaps.
    if (!read.success) return local.missed();
    const { from, events, missed } = read.data;
    if (from === service_id) return;
    if (!events) return local.missed(missed);
    for (const { topic, payload: about } of events as unknown as readonly AnyEvent[])
      local.publish(topic, about);
  }

  const silence = await database.listen(CHANNEL, listener, () => local.missed());
  return {
    publish(topic, payload) {
      local.publish(topic, payload);
      if (OWN.has(topic)) return;
      const event = { topic, payload } as AnyEvent;
      const name = nameOf(event);
      waiting.set(name, joined(waiting.get(name), event));
      timer ??= machineClock.after(tellMs, tell);
    },
    publishHere: (topic, payload) => local.publish(topic, payload),
    subscriber: (heard, missed) => local.subscriber(heard, missed),
    missed: (topics) => local.missed(topics),
    async close() {
      tell();
      await telling;
      await silence();
    },
  };
}

const NOTIFY = 'SELECT pg_notify($1, $2)';
/** A node tells those alone who listen at it. Who is at a node that is away has lost its connection, and knows of that. */
const NOTIFY_NODES =
  "SELECT 1 FROM run_command_on_all_nodes(format('SELECT pg_notify(%L, %L)', $1::text, $2::text))";

/** Returns the name under which a later event replaces an earlier one. */
function nameOf({ topic, payload }: AnyEvent): string {
  if (topic === 'jobs.progress') return `${topic} ${payload.id}`;
  const { project_id, account_id } = payload;
  const device_id = 'device_id' in payload ? payload.device_id : null;
  const isBack = topic === 'records.removed' && payload.restored === true;
  return JSON.stringify([topic, account_id, project_id, device_id, isBack]);
}

function joined(earlier: AnyEvent | undefined, later: AnyEvent): AnyEvent {
  if (later.topic !== 'records.stored' || earlier?.topic !== 'records.stored') return later;
  const count = earlier.payload.count + later.payload.count;
  return { topic: later.topic, payload: { ...later.payload, count } };
}

/**
 * Events as messages that fit. Where there are too many, what was stored is told as missed: whoever shows records reads them anew, and
 * nobody else does anything, in a lab that is busy already. Where it is still too many, all of it is.
 */
function messagesOf(from: string, events: readonly AnyEvent[]): string[] {
  const all = fitting(from, events);
  if (all !== null) return all;
  const others = events.filter(({ topic }) => topic !== 'records.stored');
  const some = others.length < events.length ? fitting(from, others) : null;
  if (some === null) return [JSON.stringify({ from })];
  return [...some, JSON.stringify({ from, missed: ['records.stored'] satisfies Topic[] })];
}

/** Null where there are too many, or one does not fit. */
function fitting(from: string, events: readonly AnyEvent[]): string[] | null {
  const messages: string[] = [];
  let [together, bytes] = [[] as string[], 0];
  const end = () => {
    if (together.length > 0)
      messages.push(`{"from":${JSON.stringify(from)},"events":[${together.join(',')}]}`);
    [together, bytes] = [[], 0];
  };
  const room = MOST_BYTES - Buffer.byteLength(from) - 100;
  for (const event of events) {
    const text = JSON.stringify(event);
    const length = Buffer.byteLength(text) + 1;
    if (length > room) return null;
    if (bytes + length > room) end();
    together.push(text);
    bytes += length;
  }
  end();
  return messages.length > MOST_MESSAGES ? null : messages;
}
