import type { AnyEvent } from '#shared/domain/events.ts';
import { Refusal, StoreError } from '../../base/errors.ts';
import { machineClock } from '../../base/machine-clock.ts';
import { Pace } from '../../turns/pace.ts';
import { cutWords } from './cut-words.ts';
import { judgePair, type JudgedPair } from './judge-pair.ts';
import { readWatching } from './live-rules.ts';
import { endUnwatched } from './unwatched-alarms.ts';
import { Outbox, type Published } from './outbox.ts';
import { Pairs, type Pair } from './pairs.ts';
import { Rest } from './rest.ts';
import type { RulesContext, RulesParts } from './rules-parts.ts';
import { OF_DEVICES, OF_RULES } from './topics.ts';
import { afterMs, sleep, wokenOr } from './waits.ts';

/** A rule and a device are judged once in so many ms at most, whatever comes. */
const REST_MS = 1000;
const MOST_AT_ONCE = 8;
/** Before what failed is tried again. */
const RETRY_MS = 60_000;
/** Before a device is looked at again whose records are being brought back. */
const COMING_MS = 500;
/** How often a service of a lab asks whether another one judges, and how long it does so itself before it asks once more. */
const ASK_MS = 5000;
const LEAD_MS = 300_000;

export interface Rules {
  /** Finishes what is under way. */
  close(): Promise<void>;
}

/**
 * Judges all rules that are switched on, keeps their alarms and does what these ask for (docs/functions.md, "Rules"). Where there is none
 * it hears of rules alone. In a lab one service does so at a time.
 */
export function openRules(context: RulesContext, parts: RulesParts): Rules {
  const engine = new Engine(context, parts);
  const running = engine.run();
  return { close: () => (engine.close(), running) };
}

class Engine {
  readonly #context: RulesContext;
  readonly #parts: RulesParts;
  readonly #heard;
  readonly #pairs;
  readonly #rest: Rest<Pair>;
  /** Projects whose rules are to be read; null: all. */
  #stale: Set<string> | null = null;
  /** Devices whose alarms others changed. */
  readonly #told = new Set<string>();
  #outbox: Outbox | null = null;
  #mayHaveActs = true;
  #isPublishing = false;
  readonly #closing = new AbortController();
  #wake = Promise.withResolvers<void>();

  constructor(context: RulesContext, parts: RulesParts) {
    this.#context = context;
    this.#parts = parts;
    this.#pairs = new Pairs(({ live, device_id }) => context.ruleProblems.clear(live.row.id, device_id));
    // A frozen clock waits for its holder alone.
    this.#rest = new Rest(() => (context.rigClock?.state.mode === 'frozen' ? 0 : REST_MS));
    this.#heard = context.events.subscriber(
      (event) => this.#hear(event),
      () => {
        this.#stale = null;
        this.#allDue();
      },
    );
    for (const topic of OF_RULES) this.#heard.subscribe(topic);
  }

  close(): void {
    this.#closing.abort();
    this.#heard.close();
    this.#wake.resolve();
  }

  /** Resolves once it is closed; never rejects. */
  async run(): Promise<void> {
    const { work, metadata } = this.#context;
    const { signal } = this.#closing;
    let last = '';
    while (!signal.aborted) {
      try {
        const woken = this.#wake.promise;
        await this.#readRules();
        this.#mayHaveActs &&= (await metadata.read((tables) => tables.count('alarms'))) > 0;
        if (this.#pairs.size === 0 && !this.#mayHaveActs) {
          await woken;
          this.#wake = Promise.withResolvers();
        } else if ((await work.unlessUnderWay('rules', () => this.#lead())) === null) {
          for (const pair of this.#pairs.all()) pair.forget();
          this.#context.ruleProblems.forget();
          await sleep(ASK_MS, signal);
        }
      } catch (error) {
        if (signal.aborted) return;
        if (String(error) !== last)
          this.#parts.log.error('Rules could not be judged; that is tried again', error);
        last = String(error);
        await sleep(ASK_MS, signal);
      }
    }
  }

  #hear({ topic, payload }: AnyEvent): void {
    const { project_id } = payload;
    if (topic === 'alarms.changed') {
      if (this.#isPublishing) return;
      // Some may have been trimmed.
      for (const pair of this.#pairs.readersOf(payload.device_id)) pair.rows = null;
      this.#told.add(payload.device_id);
      this.#mayHaveActs = true;
    } else if (topic === 'clock.changed') this.#allDue();
    else if (topic === 'records.stored' || topic === 'records.removed' || topic === 'corrections.changed') {
      const before = this.#rest.dueIn;
      for (const pair of this.#pairs.readersOf(payload.device_id)) this.#rest.add(pair);
      if (before === this.#rest.dueIn) return;
    } else {
      this.#stale?.add(project_id);
      if (topic === 'devices.changed')
        for (const pair of this.#pairs.readersOf(payload.device_id)) this.#rest.add(pair);
    }
    this.#wake.resolve();
  }

  #allDue(): void {
    for (const pair of this.#pairs.all()) {
      pair.rows = null;
      this.#rest.add(pair);
    }
    this.#wake.resolve();
  }

  /** Reads the rules of stale projects. Resolves with these projects; null: all. */
  async #readRules(): Promise<ReadonlySet<string> | null> {
    const stale = this.#stale;
    if (stale?.size === 0) return stale;
    this.#stale = new Set();
    try {
      for (const [project_id, watching] of await readWatching(stale, this.#pairs.projects(), this.#context))
        for (const pair of this.#pairs.replace(project_id, watching)) this.#rest.add(pair);
    } catch (error) {
      this.#stale = null;
      throw error;
    }
    return stale;
  }

  /** Judges until there is nothing to judge and to do, or the lease is to be taken anew. */
  async #lead(): Promise<true> {
    const { log, performers } = this.#parts;
    const { signal } = this.#closing;
    const publish: Published = (project, device_id) =>
      this.#publish(project, device_id, { changed: [device_id], hasNotes: false });
    const outbox = new Outbox(this.#context, { performers, publish, log });
    this.#outbox = outbox;
    for (const topic of OF_DEVICES) this.#heard.subscribe(topic);
    const until = this.#context.work.isShared ? machineClock.monotonicIn(LEAD_MS) : Infinity;
    const underWay = new Set<Promise<void>>();
    try {
      await this.#endUnwatched(null);
      this.#mayHaveActs = false;
      this.#allDue();
      const pace = new Pace();
      while (!signal.aborted && machineClock.monotonicMs() < until) {
        const woken = this.#wake.promise;
        const read = await this.#readRules();
        if (read?.size !== 0) await this.#endUnwatched(read);
        await this.#lookAtTold();
        if (this.#pairs.size + outbox.size === 0) break;
        while (underWay.size < MOST_AT_ONCE) {
          const pair = this.#rest.take();
          if (pair === null) break;
          if (!this.#pairs.has(pair)) {
            this.#rest.forget(pair);
            continue;
          }
          const judging = this.#judge(pair).finally(() => {
            underWay.delete(judging);
            this.#wake.resolve();
          });
          underWay.add(judging);
        }
        await wokenOr(
          woken,
          Math.min(
            (underWay.size < MOST_AT_ONCE ? this.#rest.dueIn : null) ?? Infinity,
            until - machineClock.monotonicMs(),
          ),
        );
        this.#wake = Promise.withResolvers();
        await pace.pause();
      }
    } finally {
      for (const topic of OF_DEVICES) this.#heard.unsubscribe(topic);
      await Promise.all(underWay);
      for (const pair of this.#pairs.all()) pair.wait(null);
      this.#rest.forget(null);
      this.#outbox = null;
      await outbox.close();
    }
    return true;
  }

  /** Judges a rule on a device as of now. Never rejects. */
  #judge(pair: Pair): Promise<void> {
    return pair.serial.run(async () => {
      const { row, project } = pair.live;
      const { ruleProblems } = this.#context;
      try {
        const judged = await judgePair(pair, this.#pairs, {
          ...this.#context,
          makeWatch: this.#parts.makeWatch,
        });
        if (judged === 'coming') pair.wait(afterMs(COMING_MS, () => this.#addAgain(pair)));
        else this.#take(pair, judged);
        if (!this.#pairs.has(pair)) return;
        const cut = judged === 'coming' ? null : judged.cut;
        if (cut === null) ruleProblems.clear(row.id, pair.device_id);
        else ruleProblems.add(row.id, pair.device_id, cutWords(cut));
      } catch (error) {
        const isEnd = error instanceof StoreError && (error.code === 'closed' || error.code === 'retired');
        if (isEnd || this.#closing.signal.aborted || !this.#pairs.has(pair)) return;
        pair.forget();
        const isSaid = error instanceof StoreError || error instanceof Refusal;
        const words = isSaid ? error.message : 'The service failed; its log has more.';
        if (ruleProblems.add(row.id, pair.device_id, words))
          this.#parts.log.error(`The rule "${row.name}" of "${project.name}" could not be judged`, error);
        pair.wait(afterMs(RETRY_MS, () => this.#addAgain(pair)));
      }
    });
  }

  /** Says what a judgement changed, and waits for when time alone changes it next. */
  #take(pair: Pair, { kept, next }: JudgedPair): void {
    const { clock } = this.#context;
    if (kept) {
      this.#outbox?.add(kept.changed);
      this.#publish(pair.live.project, pair.device_id, kept);
    }
    const isOver = next === null || this.#closing.signal.aborted || !this.#pairs.has(pair);
    pair.wait(isOver ? null : clock.after(Math.max(1, (next - clock.now()) / 1000), () => this.#judge(pair)));
  }

  #addAgain(pair: Pair): void {
    if (this.#pairs.has(pair)) this.#rest.add(pair);
    this.#wake.resolve();
  }

  /** Of some projects or (null) all; and takes up what waits of these. */
  async #endUnwatched(projects: ReadonlySet<string> | null): Promise<void> {
    for await (const { alarms, ended } of endUnwatched(projects, this.#context)) {
      this.#outbox?.add(alarms);
      for (const each of ended) this.#publish(each.project, each.device_id, each);
    }
  }

  #publish(
    { account_id, id: project_id }: Pair['live']['project'],
    device_id: string,
    { changed, hasNotes }: { readonly changed: readonly unknown[]; readonly hasNotes: boolean },
  ): void {
    const { events } = this.#context;
    this.#isPublishing = true;
    try {
      if (changed.length > 0) events.publish('alarms.changed', { account_id, project_id, device_id });
      if (hasNotes) events.publish('notes.changed', { account_id, project_id, device_id });
    } finally {
      this.#isPublishing = false;
    }
  }

  /** Takes up acts of alarms that others changed. */
  async #lookAtTold(): Promise<void> {
    for (const device_id of this.#told) {
      this.#told.delete(device_id);
      this.#outbox?.add(await this.#context.metadata.read((tables) => tables.list('alarms', { device_id })));
    }
    this.#mayHaveActs = false;
  }
}
