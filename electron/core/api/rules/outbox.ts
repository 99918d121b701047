import { SILENCED } from '#shared/domain/alarms.ts';
import { keysOfRule, ruleOf } from '#shared/domain/rules.ts';
import type { Micros } from '#shared/values/time.ts';
import { mailOf, messageJson, type Told } from '../../acts/act-message.ts';
import { MailError, type Mail } from '../../acts/send-mail.ts';
import { UnreachedAddress } from '../../acts/reach.ts';
import { WebhookError, type Hook } from '../../acts/webhook.ts';
import type { Timer } from '../../base/clock.ts';
import type { Logger } from '../../base/logger.ts';
import { machineClock } from '../../base/machine-clock.ts';
import type { StoredAct } from '../../store/metadata/alarm-rows.ts';
import type { StoredAlarm, StoredFunction, StoredProject } from '../../store/metadata/metadata-schema.ts';
import { isSilenced } from '../alarms/rule-rows.ts';
import type { Context } from '../context.ts';
import { viewed } from '../corrections/viewed.ts';

const MOST_AT_ONCE = 8;
/** Of one host. */
const MOST_AT_PLACE = 2;
const FIRST_PAUSE_S = 1;
const LONGEST_PAUSE_S = 3600;
/** The pauses between so many tries come to a day. */
export const MOST_TRIES = 36;
/** Before what was done is noted once more where that failed. */
const AGAIN_MS = 60_000;

/** Seconds from a try that failed to the next one; `tries`: how many there were. */
export const pauseAfter = (tries: number): number =>
  Math.min(FIRST_PAUSE_S * 2 ** (tries - 1), LONGEST_PAUSE_S);

/** Performers of acts. Each rejects where it was not done: with an error of acts/, whose message is for people, or with a bug. */
export interface Performers {
  webhook(hook: Hook, signal: AbortSignal): Promise<void>;
  /** Hands a message to those who hear the alarms of a device. */
  mqtt(device_id: string, key: string, payload: string): Promise<void>;
  /** Resolves with what is to be known of it, for people. */
  mail(mail: Mail): Promise<string | null>;
}

type Of = Pick<Context, 'metadata' | 'records' | 'clock'>;
/** Says that an alarm of a device changed. */
export type Published = (project: StoredProject, device_id: string) => void;

interface OutboxParts {
  readonly performers: Performers;
  readonly publish: Published;
  readonly log: Logger;
}

/** An act that waits: where it is, and where it goes. */
interface Entry {
  readonly alarm_id: string;
  readonly key: string;
  readonly place: string;
  readonly done: PromiseWithResolvers<void>;
  timer: Timer | null;
}

interface Found {
  readonly alarm: StoredAlarm;
  readonly act: StoredAct;
  readonly rule: StoredFunction | null;
  readonly project: StoredProject;
  readonly device: { readonly id: string; readonly name: string };
}

type Outcome = Pick<StoredAct, 'state' | 'tries' | 'next' | 'error'>;

/** Acts of alarms that wait to be done: each at least once, and once more until it was. */
export class Outbox {
  readonly #context: Of;
  readonly #performers: Performers;
  readonly #publish: Published;
  readonly #log: Logger;
  readonly #entries = new Map<string, Entry>();
  /** Entries whose time has come, by place. */
  readonly #ready = new Map<string, Entry[]>();
  readonly #underWay = new Map<string, number>();
  readonly #running = new Set<Promise<void>>();
  readonly #closing = new AbortController();
  #count = 0;

  constructor(context: Of, { performers, publish, log }: OutboxParts) {
    this.#context = context;
    this.#performers = performers;
    this.#publish = publish;
    this.#log = log;
  }

  get size(): number {
    return this.#entries.size;
  }

  /** Takes up what waits of some alarms. */
  add(alarms: readonly StoredAlarm[]): void {
    for (const { id, acts } of alarms)
      for (const { key, act, state, next } of acts)
        if (state === 'waiting' && !this.#entries.has(key)) {
          const place = placeOf(act);
          const entry: Entry = { alarm_id: id, key, place, done: Promise.withResolvers(), timer: null };
          this.#entries.set(key, entry);
          this.#wait(entry, next ?? 0);
        }
  }

  /** Resolves when nothing is under way; what waits is left to whoever opens the next one. */
  async close(): Promise<void> {
    this.#closing.abort();
    for (const { timer, done } of this.#entries.values()) {
      timer?.cancel();
      done.resolve();
    }
    this.#entries.clear();
    this.#ready.clear();
    await Promise.all(this.#running);
  }

  #wait(entry: Entry, next: Micros): void {
    const us = next - this.#context.clock.now();
    if (us <= 0) return this.#due(entry);
    entry.timer = this.#context.clock.after(us / 1000, () => {
      this.#due(entry);
      return entry.done.promise;
    });
  }

  #due(entry: Entry): void {
    entry.timer = null;
    const ready = this.#ready.get(entry.place) ?? [];
    this.#ready.set(entry.place, ready);
    ready.push(entry);
    this.#pump();
  }

  #pump(): void {
    for (const [place, ready] of this.#ready) {
      while (this.#count < MOST_AT_ONCE && (this.#underWay.get(place) ?? 0) < MOST_AT_PLACE) {
        const entry = ready.shift();
        if (entry === undefined) break;
        this.#begin(entry);
      }
      if (ready.length === 0) this.#ready.delete(place);
    }
  }

  #begin(entry: Entry): void {
    const { place } = entry;
    this.#count++;
    this.#underWay.set(place, (this.#underWay.get(place) ?? 0) + 1);
    const running = this.#perform(entry).finally(() => {
      this.#running.delete(running);
      this.#count--;
      const left = (this.#underWay.get(place) ?? 1) - 1;
      if (left === 0) this.#underWay.delete(place);
      else this.#underWay.set(place, left);
      this.#pump();
    });
    this.#running.add(running);
  }

  /** Never rejects. */
  async #perform(entry: Entry): Promise<void> {
    const { signal } = this.#closing;
    try {
      const found = await this.#find(entry);
      const outcome = found && (await this.#tried(found));
      if (signal.aborted) return;
      if (!found || !outcome) return this.#forget(entry);
      await this.#note(entry, outcome);
      this.#publish(found.project, found.device.id);
      if (outcome.next === null) return this.#forget(entry);
      entry.done.resolve();
      const next = { ...entry, done: Promise.withResolvers<void>() };
      this.#entries.set(entry.key, next);
      this.#wait(next, outcome.next);
    } catch (error) {
      if (signal.aborted) return;
      this.#log.error('What became of an act of an alarm could not be noted; it is done again', error);
      entry.done.resolve();
      const again = machineClock.after(AGAIN_MS, () => this.#due(entry)).unref();
      entry.timer = { cancel: () => clearTimeout(again) };
    }
  }

  #forget(entry: Entry): void {
    this.#entries.delete(entry.key);
    entry.done.resolve();
  }

  /** Null where it does not wait any more. */
  #find({ alarm_id, key }: Entry): Promise<Found | null> {
    const found = this.#context.metadata.read(async (tables) => {
      const alarm = await tables.get('alarms', alarm_id);
      const act = alarm?.acts.find((each) => each.key === key);
      if (!alarm || act?.state !== 'waiting') return null;
      const project = await tables.get('projects', alarm.project_id);
      const device = await tables.get('devices', alarm.device_id);
      const rule = await tables.get('functions', alarm.function_id);
      return project && device && { alarm, act, rule, project, device };
    });
    return Promise.resolve(found);
  }

  async #tried(found: Found): Promise<Outcome> {
    const { act, rule } = found;
    const done = { state: 'done', tries: act.tries, next: null } as const;
    const now = this.#context.clock.now();
    if (rule !== null && isSilenced(rule, now)) return { ...done, error: SILENCED };
    const tries = act.tries + 1;
    try {
      return { ...done, tries, error: await this.#do(found) };
    } catch (error) {
      const words = this.#wordsOf(error);
      if (tries >= MOST_TRIES) return { state: 'failed', tries, next: null, error: words };
      const next = this.#context.clock.now() + pauseAfter(tries) * 1_000_000;
      return { state: 'waiting', tries, next, error: words };
    }
  }

  async #do({ alarm, act: { act, key, event }, rule, project, device }: Found): Promise<string | null> {
    const values = await this.#valuesOf(rule, device.id);
    const told: Told = { key, event, alarm, device: named(device), project: named(project), values };
    if (act.do === 'webhook')
      await this.#performers.webhook({ url: act.url, key, body: messageJson(told) }, this.#closing.signal);
    if (act.do === 'mqtt') await this.#performers.mqtt(device.id, key, messageJson(told));
    if (act.do === 'mail') return this.#performers.mail({ to: act.to, key, ...mailOf(told) });
    return null;
  }

  async #valuesOf(rule: StoredFunction | null, device_id: string): Promise<Told['values']> {
    const said = rule === null ? '' : ruleOf(rule.condition);
    if (typeof said === 'string' || !said.values) return null;
    const of = await viewed(device_id, 'corrected', this.#context);
    const [latest = []] = await this.#context.records.latest([{ device: of, keys: keysOfRule(said) }]);
    return latest;
  }

  #wordsOf(error: unknown): string {
    const isSaid = [WebhookError, UnreachedAddress, MailError].some((kind) => error instanceof kind);
    if (isSaid) return (error as Error).message;
    if (!this.#closing.signal.aborted) this.#log.error('An act of an alarm failed', error);
    return 'The service failed; its log has more.';
  }

  async #note({ alarm_id, key }: Entry, outcome: Outcome): Promise<void> {
    await this.#context.metadata.change(async (tables) => {
      const alarm = await tables.get('alarms', alarm_id);
      if (!alarm) return;
      const acts = alarm.acts.map((act) => (act.key === key ? { ...act, ...outcome } : act));
      await tables.patch('alarms', alarm_id, { acts });
    });
  }
}

const named = ({ id, name }: { readonly id: string; readonly name: string }) => ({ id, name });

/** Where an act goes, of which a few are under way at a time. */
function placeOf(act: StoredAct['act']): string {
  if (act.do !== 'webhook') return act.do;
  return URL.canParse(act.url) ? new URL(act.url).host : act.url;
}
