import { setTimeout as delay } from 'node:timers/promises';
import type { Hook } from '#core/acts/webhook.ts';
import { WebhookError } from '#core/acts/webhook.ts';
import { RuleProblems } from '#core/api/rules/rule-problems.ts';
import { openRules, type Rules } from '#core/api/rules/rules.ts';
import type { MakeWatch } from '#core/api/rules/pairs.ts';
import { createEventBus } from '#core/base/event-bus.ts';
import { createRigClock } from '#core/base/rig-clock.ts';
import { systemRandom } from '#core/base/system-random.ts';
import { createOwnWork } from '#core/work/shared-work.ts';
import type { Act } from '#shared/domain/rules.ts';
import { naiveWatch } from '../../../helpers/rules/naive-watch.ts';
import { createMemoryMetadata } from '../../../helpers/store/memory-metadata.ts';
import { createMemoryRecordStore } from '../../../helpers/store/memory-record-store.ts';
import { aDevice, aFunction, aProject } from '../../../suites/metadata/rows.ts';

export const T0 = 1_800_000_000_000_000;
export const S = 1_000_000;

/** A world with one device and its rules, whose clock stands, and what acts were done. */
export async function watchedWorld() {
  const metadata = createMemoryMetadata();
  const records = createMemoryRecordStore();
  const events = createEventBus();
  const clock = createRigClock({ mode: 'frozen', now: T0 }, { now: () => T0 });
  const ruleProblems = new RuleProblems();
  const chance = { ...systemRandom, of: () => systemRandom };
  const context = {
    metadata,
    records,
    events,
    clock,
    rigClock: null,
    ruleProblems,
    chance,
    work: createOwnWork(),
  };
  await metadata.change(async (tables) => {
    await tables.insert('projects', aProject('p'));
    await tables.insert('devices', aDevice('d', 'p'));
  });
  const hooks: Hook[] = [];
  const mails: string[] = [];
  const messages: string[] = [];
  const logged: string[] = [];
  const broken = { webhook: false };
  const looks = { count: 0 };
  const log = {
    info: () => {},
    warn: () => {},
    error: (message: string, error?: unknown) =>
      void logged.push(`${message}: ${error instanceof Error ? error.stack : ''}`),
  };
  let makeWatch: MakeWatch = (of) => {
    const watch = naiveWatch(of, records);
    return { look: (device, now) => (looks.count++, watch.look(device, now)) };
  };
  let rules: Rules | null = null;
  const of = { account_id: 'a', project_id: 'p' };

  const world = {
    ...context,
    hooks,
    mails,
    messages,
    logged,
    broken,
    looks,
    watchBy: (make: MakeWatch) => (makeWatch = make),
    open() {
      rules = openRules(context, {
        log,
        makeWatch: (each) => makeWatch(each),
        performers: {
          async webhook(hook) {
            await delay(0);
            if (broken.webhook) throw new WebhookError('It answered 500.');
            hooks.push(hook);
          },
          mqtt: async (_device, _key, payload) => void messages.push(payload),
          mail: async ({ subject }) => (mails.push(subject), null),
        },
      });
    },
    async close() {
      await rules?.close();
      rules = null;
    },
    async addRule(
      id: string,
      condition: {
        readonly when: object;
        readonly for_s?: number;
        readonly acts?: readonly Act[];
        readonly devices?: object;
      },
      device_id: string | null = 'd',
    ) {
      await metadata.change((tables) =>
        tables.insert('functions', {
          ...aFunction(id, 'p', 'd'),
          device_id,
          type: 'rule',
          script: null,
          condition: condition as never,
          since: clock.now() - 100 * S,
          created: clock.now() - 100 * S,
        }),
      );
      events.publish('functions.changed', { ...of, device_id });
    },
    /** Stores readings of a key, by seconds from the beginning. */
    async store(device_id: string, readings: Readonly<Record<number, number>>, key = 't') {
      const rows = Object.entries(readings).map(([at, value]) => ({
        timestamp: T0 + Number(at) * S,
        received: clock.now(),
        keys: [key],
        values: [value],
      }));
      await records.append(device_id, rows);
      events.publish('records.stored', { ...of, device_id, count: rows.length });
    },
    alarms: async () => metadata.read((tables) => tables.list('alarms')),
    notes: async () => metadata.read((tables) => tables.list('notes')),
  };
  return world;
}
