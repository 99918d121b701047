import { z } from 'zod';
import { parseJson } from '#shared/values/json.ts';
import type { Backend } from '../backend/backend.ts';
import type { SharedMessages } from '../backend/shared-messages.ts';
import type { Logger } from '../base/logger.ts';
import { machineClock } from '../base/machine-clock.ts';
import type { LineJournal } from '../disk/line-journal.ts';
import type { Mqtt } from '../mqtt/mqtt.ts';
import { Serial } from '../turns/serial.ts';

/** Teller of what rules say by MQTT. */
export interface AlarmMessages {
  /** Resolves once whoever hears the alarms of the device gets it, at any service, also after a kill. Rejects with StoreError. */
  tell(device_id: string, payload: string): Promise<void>;
}

/** Messages that are read at once. */
const MOST_AT_ONCE = 200;
/** Looks without being told that there are some, ms: a hint may be lost. */
const LOOK_MS = 10_000;
/** ms between two looks: many alarms change at once. */
const REST_MS = 50;
/** Bytes of the journal before it is written anew. */
const MOST_BYTES = 65_536;

const message = z.object({ device_id: z.string(), payload: z.string() });

interface Parts extends Pick<Backend, 'events' | 'journal'> {
  readonly mqtt: Pick<Mqtt, 'tellAlarm'>;
  readonly log: Pick<Logger, 'warn' | 'error'>;
}

/**
 * Opens what hands messages of rules to MQTT clients: in a lab those of every service. Closed with `stack`, before MQTT is. Rejects with
 * StoreError.
 */
export async function openAlarmMessages(
  { messages, ...parts }: Parts & Pick<Backend, 'messages'>,
  stack: AsyncDisposableStack,
): Promise<AlarmMessages> {
  const { mqtt } = parts;
  if (messages === null) return { tell: (device_id, payload) => mqtt.tellAlarm(device_id, payload) };
  const reader = new Reader(messages, parts.journal('mqtt-alarms', 1), parts);
  await reader.open();
  stack.defer(() => reader.close());
  return {
    async tell(device_id, payload) {
      await messages.add(JSON.stringify({ device_id, payload }));
      reader.look();
    },
  };
}

/** Reads the messages of all services, hands each on at least once, and keeps on disk how far it is. */
class Reader {
  readonly #messages: SharedMessages;
  readonly #journal: LineJournal;
  readonly #parts: Parts;
  readonly #serial = new Serial();
  readonly #heard;
  /** Of the next look without being told, and of the next one that was asked for. */
  #timer: NodeJS.Timeout | null = null;
  #soon: NodeJS.Timeout | null = null;
  #position = 0;
  #isClosed = false;
  /** The failure that was told last. */
  #failure = '';

  constructor(messages: SharedMessages, journal: LineJournal, parts: Parts) {
    this.#messages = messages;
    this.#journal = journal;
    this.#parts = parts;
    this.#heard = parts.events.subscriber(
      () => this.look(),
      () => this.look(),
    );
  }

  /** Hands on what came while this service was away; where it is here first, what comes from now on. */
  async open(): Promise<void> {
    const { lines } = await this.#journal.read();
    const newest = await this.#messages.newest();
    const known = Number(lines.at(-1));
    // Of another database, perhaps.
    this.#position = lines.length > 0 && Number.isSafeInteger(known) && known <= newest ? known : newest;
    await this.#journal.replace([String(this.#position)]);
    await this.#handOn();
    this.#heard.subscribe('alarms.changed');
    this.#wait();
  }

  /** Looks for messages soon. */
  look(): void {
    if (this.#isClosed) return;
    this.#soon ??= machineClock
      .after(REST_MS, () => {
        this.#soon = null;
        void this.#serial.run(() => this.#look());
      })
      .unref();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#heard.close();
    for (const timer of [this.#timer, this.#soon]) if (timer !== null) clearTimeout(timer);
    await this.#serial.idle();
    await this.#journal.close();
  }

  /** Never rejects: it is looked again in a while. */
  async #look(): Promise<void> {
    try {
      await this.#handOn();
      this.#failure = '';
    } catch (error) {
      if (this.#failure !== String(error))
        this.#parts.log.error('Messages of alarms could not be handed on; that is tried again', error);
      this.#failure = String(error);
    }
  }

  #wait(): void {
    this.#timer = machineClock
      .after(LOOK_MS, () => {
        this.look();
        this.#wait();
      })
      .unref();
  }

  async #handOn(): Promise<void> {
    const { mqtt, log } = this.#parts;
    for (;;) {
      // The last one that was handed on is there, or the database is another one than before: as of a backup.
      const found = await this.#messages.after(this.#position - 1, MOST_AT_ONCE);
      if (found.length === 0 && this.#position > 0) return this.#keep(await this.#messages.newest());
      const some = found.filter(({ number }) => number > this.#position);
      const [first, last] = [some[0], some.at(-1)];
      if (first === undefined || last === undefined) return;
      const lost = first.number - this.#position - 1;
      if (lost > 0)
        log.warn(`This service was away for too long: ${lost} messages of alarms are not handed on by MQTT.`);
      for (const { body } of some) {
        const read = message.safeParse(parseJson(body));
        if (read.success) await mqtt.tellAlarm(read.data.device_id, read.data.payload);
        else log.warn('A message of an alarm is of a newer version, and is not handed on by MQTT.');
      }
      await this.#keep(last.number);
    }
  }

  async #keep(position: number): Promise<void> {
    const text = String(position);
    if (this.#journal.isBegun && this.#journal.bytes < MOST_BYTES) await this.#journal.append(text);
    else await this.#journal.replace([text]);
    this.#position = position;
  }
}
