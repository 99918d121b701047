import { keysOfRule, type Rule } from '#shared/domain/rules.ts';
import type { OutputOf } from '#shared/operations/index.ts';
import { formatMicros, type Micros } from '#shared/values/time.ts';
import { badRequest } from '../../base/errors.ts';
import type { Firing } from '../../rules/firing.ts';
import { judgeRule } from '../../rules/rule-watch.ts';
import type { StoredProject } from '../../store/metadata/metadata-schema.ts';
import type { Context } from '../context.ts';
import { viewedOf } from '../corrections/viewed.ts';
import { cutWords } from './cut-words.ts';
import { hasTag, MOST_DEVICES } from './live-rules.ts';
import { NO_RANGES, rangesOf } from './ranges-of.ts';
import { unseenKeys } from './unseen-keys.ts';

/** Firings of one answer, of all devices together. */
const MOST_TOLD = 50_000;

interface Tried {
  readonly rule: Rule;
  /** Null: all that have the rule's tag. */
  readonly device_id: string | null;
  readonly start: Micros | undefined;
  readonly end: Micros | undefined;
  /** As which it waits for its turn. */
  readonly key_id: string | null;
  readonly signal: AbortSignal | undefined;
}

/** Judges a rule on what devices stored, through their corrections. Rejects with a 400, StoreError, or as the signal's reason. */
export async function tryRule(
  project: StoredProject,
  { rule, device_id, start, end, key_id, signal }: Tried,
  { records, metadata, clock, surveys }: Pick<Context, 'records' | 'metadata' | 'clock' | 'surveys'>,
): Promise<OutputOf<'rules.try'>> {
  const devices = await devicesOf(project, { rule, device_id }, metadata);
  const views = await viewedOf(project.id, devices, 'corrected', { metadata });
  const ranges = await rangesOf(rule, { project_id: project.id }, metadata);
  const keys = keysOfRule(rule);
  const ofEach = views.map((view) => ({ called: 'this device', devices: [view], keys }));
  const unseen = await unseenKeys(ofEach, records, signal);
  const reads = { records, semaphore: surveys.of(key_id) };
  const most = Math.floor(MOST_TOLD / Math.max(1, devices.length));
  const span = { now: clock.now(), after: start ?? -Infinity, until: end };
  const tried: OutputOf<'rules.try'> = [];
  for (const [place, device] of devices.entries()) {
    signal?.throwIfAborted();
    const asked = { rule, ranges: ranges.get(device) ?? NO_RANGES, device: views[place]!, ...span };
    const { count, firings, cut } = await judgeRule(asked, reads, signal);
    const problem = [unseen[place] ?? null, cut && cutWords(cut)].filter((words) => words !== null).join(' ');
    const newest = firings.slice(Math.max(0, firings.length - most));
    tried.push({
      device_id: device,
      count,
      firings: newest.map(firingView),
      problem: problem === '' ? null : problem,
    });
  }
  return tried;
}

const firingView = ({ start, fired, end }: Firing) => ({
  start: formatMicros(start),
  fired: formatMicros(fired),
  end: end === null ? null : formatMicros(end),
});

async function devicesOf(
  { id: project_id }: StoredProject,
  { rule, device_id }: Pick<Tried, 'rule' | 'device_id'>,
  metadata: Context['metadata'],
): Promise<readonly string[]> {
  if (device_id !== null) {
    const device = await metadata.read((tables) => tables.get('devices', device_id));
    if (device?.project_id === project_id) return [device_id];
    throw badRequest(`device_id must be the id of a device of this project, got "${device_id}"`);
  }
  if (rule.devices === undefined)
    throw badRequest(
      'device_id is required, or condition.devices as {"tag": "…"}: it says on which devices the rule is tried',
    );
  const all = await metadata.read((tables) => tables.list('devices', { project_id }));
  const found = all.filter((each) => hasTag(rule, each)).map(({ id }) => id);
  if (found.length > MOST_DEVICES)
    throw badRequest(
      `condition.devices.tag is of ${found.length} devices, and a rule may have at most ${MOST_DEVICES}`,
    );
  return found;
}
