import { openLog } from '../../electron/core/store/log/log.ts';
import { judgeRule, RuleWatch } from '../../electron/core/rules/rule-watch.ts';
import { FairSemaphore } from '../../electron/core/turns/semaphore.ts';
import { answerMessages } from '../lib/child.ts';
import { FIRST_TIME } from '../lib/data.ts';
import { eachTimed, percentile, timed } from '../lib/measure.ts';

/** A store of so many records of a sensor, a record a second. */
export interface RulesMessage {
  readonly directory: string;
  readonly device: string;
  readonly records: number;
  readonly rounds: number;
}

/** Figures a round, and how often the rule fires. */
export interface RulesMeasured {
  /** By a store that has just been opened, ms, and the processor time of it, ms. */
  readonly first: number[];
  readonly processor: number[];
  /** The naive walk, which judges each reading, ms. */
  readonly naive: number[];
  /** A look behind one new record, µs. */
  readonly look: number[];
  readonly firings: number;
}

const SECOND = 1_000_000;
const KEY = 'temperature';
const LOOKS = 200;

answerMessages(async ({ directory, device, records, rounds }: RulesMessage) => {
  const semaphore = new FairSemaphore(1).of(null);
  const result = {
    first: [] as number[],
    processor: [] as number[],
    naive: [] as number[],
    look: [] as number[],
  };
  let firings = 0;
  let now = FIRST_TIME + records * SECOND;
  for (let round = 0; round < rounds; round++) {
    const store = await openLog({ directory });
    const range = { start: FIRST_TIME, end: now };
    const { keys } = await store.series(device, { range, keys: [KEY], width: 1 });
    const [least = 0, greatest = 0] = [keys[0]?.min[0], keys[0]?.max[0]];
    const above = least + (greatest - least) * 0.8;
    const rule = { when: { key: KEY, above, hysteresis: 0.1 }, for_s: 60 };
    await store.close();

    const opened = await openLog({ directory });
    const reads = { records: opened, semaphore };
    const asked = { rule, ranges: new Map<string, never>(), device, now, after: -Infinity };
    const before = process.cpuUsage();
    result.first.push(
      await timed(async () => {
        firings = (await judgeRule(asked, reads)).count;
      }),
    );
    const { user, system } = process.cpuUsage(before);
    result.processor.push((user + system) / 1000);

    let told = 0;
    result.naive.push(await timed(async () => void (told = await naiveWalk(opened, device, range, rule))));
    if (told !== firings) throw new Error(`The naive walk has ${told} firings, and ours are ${firings}.`);

    const watch = new RuleWatch(rule, new Map(), reads);
    await watch.look(device, now);
    const times: number[] = [];
    for (let n = 0; n < LOOKS; n++) {
      now += SECOND;
      const one = { timestamp: now, received: now, keys: [KEY], values: [least] };
      await opened.append(device, [one]);
      times.push(...(await eachTimed(1, 1, () => watch.look(device, now))));
    }
    result.look.push(percentile(times, 0.5));
    await opened.close();
  }
  return { ...result, firings } satisfies RulesMeasured;
});

/** Judges each reading by itself; resolves with how often the rule fires. */
async function naiveWalk(
  store: Awaited<ReturnType<typeof openLog>>,
  device: string,
  range: { readonly start: number; readonly end: number },
  {
    when,
    for_s,
  }: { readonly when: { readonly above: number; readonly hysteresis: number }; readonly for_s: number },
): Promise<number> {
  let since = Number.NaN;
  let count = 0;
  let last = 0;
  const ends = (at: number) => {
    if (at - since >= for_s * SECOND) count++;
    since = Number.NaN;
  };
  const into = {
    isOver: false,
    one(time: number, value: number) {
      last = time;
      if (Number.isNaN(since)) {
        if (value > when.above) since = time;
      } else if (value <= when.above - when.hysteresis) ends(time);
    },
    some: () => false,
  };
  await store.readings(device, { query: { key: KEY, range, pause: Infinity }, begin: () => into });
  if (!Number.isNaN(since)) ends(Math.max(last, range.end));
  return count;
}
