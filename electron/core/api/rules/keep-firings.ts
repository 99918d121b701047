import { SILENCED, type AlarmEvent } from '#shared/domain/alarms.ts';
import type { Act } from '#shared/domain/rules.ts';
import type { Micros } from '#shared/values/time.ts';
import type { Chance } from '../../base/chance.ts';
import { Refusal } from '../../base/errors.ts';
import { MOST_FIRINGS, type Firing } from '../../rules/firing.ts';
import type { StoredAct, ToldRule } from '../../store/metadata/alarm-rows.ts';
import type { StoredAlarm } from '../../store/metadata/metadata-schema.ts';
import type { WritableTables } from '../../store/metadata/metadata.ts';
import { actKey } from '../alarms/end-alarms.ts';
import { isTold, TOLD, toldOf } from '../alarms/told-elsewhere.ts';
import { isSilenced } from '../alarms/rule-rows.ts';
import { requireRoomForNote } from '../edits/room-for-notes.ts';
import { compareFirings, listedFirings, type Bounds, type Difference } from './compare-firings.ts';
import { isWatched } from './live-rules.ts';
import type { Watching } from './pairs.ts';

/** Acts of an alarm that are over and kept beside those that wait: the newest. */
const MOST_ACTS_OVER = 64;
/** Author of notes that rules make. */
const NOTE_AUTHOR = 'rule';
const WITHDRAWN = ' (withdrawn)';

/** Alarms of a rule and a device behind a judgement. */
export interface Kept {
  /** As they are now. */
  readonly rows: readonly StoredAlarm[];
  /** Alarms that came or changed. */
  readonly changed: readonly StoredAlarm[];
  /** Whether a note came, changed or went. */
  readonly hasNotes: boolean;
}

interface Judged {
  readonly firings: readonly Firing[];
  readonly bounds: Bounds;
  readonly now: Micros;
  /** Of the ids of alarms and notes. */
  readonly chance: Chance;
}

/**
 * Has the alarms of a rule and a device say what its firings do, in a change; acts and notes of what is new come along. Resolves with null
 * where the rule does not watch the device any more, or is another one by now.
 */
export async function keepFirings(
  tables: WritableTables,
  { live, device_id }: Watching,
  judged: Judged,
): Promise<Kept | null> {
  const {
    row: { id: function_id },
    since,
    rule,
    project,
  } = live;
  const { firings, bounds, now, chance } = judged;
  const of = { project_id: project.id, device_id, function_id, since };
  const row = await tables.get('functions', function_id);
  if (!row || !(await isWatched(tables, of))) return null;
  const all = await tables.list('alarms', { function_id, device_id });
  const own = all.filter((each) => each.since === since);
  const byId = new Map(own.map((each) => [each.id, each]));
  const told = toldOf(await tables.get('devices', device_id), function_id);
  const writing = { tables, acts: rule.acts, now, isQuiet: isSilenced(row, now), told, chance };
  const changed: StoredAlarm[] = [];
  let hasNotes = false;
  const keep = Math.max(bounds.keep, row.forgotten ?? -Infinity);
  for (const difference of compareFirings(firings, own, { ...bounds, keep })) {
    const before = (difference.id !== null && byId.get(difference.id)) || null;
    const blank: Blank = before ?? {
      ...of,
      id: chance.uuid(),
      name: row.name,
      ...NOTHING,
      raised: now,
      created: now,
    };
    const after = await withActs({ ...blank, ...fieldsOf(difference, blank, now) }, difference.is, writing);
    hasNotes ||= after.hasNotes;
    const { id, sequence: _, ...fields } = { sequence: 0, ...after.alarm };
    const kept = before
      ? await tables.patch('alarms', id, fields)
      : await tables.insert('alarms', { id, ...fields });
    if (kept) changed.push(kept);
  }
  const rows = await prune(
    tables,
    [...all.filter(({ id }) => !changed.some((each) => each.id === id)), ...changed],
    {
      listed: listedFirings(firings, bounds),
      since,
    },
  );
  return { rows: rows.filter((each) => each.since === since), changed, hasNotes };
}

/** An alarm that may have no place among the others yet. */
type Blank = Omit<StoredAlarm, 'sequence'>;

const NOTHING = {
  start: 0,
  fired: 0,
  end: null,
  amended: null,
  withdrawn: null,
  acknowledged: null,
  acts: [],
} as const;

/** Fields that a difference changes. */
function fieldsOf(difference: Difference, before: Blank, now: Micros): Partial<StoredAlarm> {
  if (difference.is === 'withdrawn') return { withdrawn: now };
  const { start, fired, end } = difference.firing;
  if (difference.is === 'raised')
    return { start, fired, end, withdrawn: null, ...(difference.id !== null && { amended: now }) };
  const isMoved = before.start !== start || before.fired !== fired || before.end !== null;
  return { start, fired, end, ...(isMoved && { amended: now }) };
}

interface Writing {
  readonly tables: WritableTables;
  readonly acts: readonly Act[];
  readonly now: Micros;
  readonly isQuiet: boolean;
  /** Acts that another service did. */
  readonly told: ToldRule | null;
  readonly chance: Chance;
}

/** Resolves with an alarm and the acts that an event asks for, of which those on notes are done. */
async function withActs(
  alarm: Blank,
  event: AlarmEvent,
  writing: Writing,
): Promise<{ readonly alarm: Blank; readonly hasNotes: boolean }> {
  const { now, isQuiet } = writing;
  // An amendment that was not tried yet says less than the next one, and is not sent any more.
  const before = alarm.acts.filter(
    ({ state, event: of, tries }) => !(of === 'amended' && state === 'waiting' && tries === 0),
  );
  const added: StoredAct[] = [];
  let hasNotes = false;
  for (const act of writing.acts) {
    if (event !== 'raised' && (act.do === 'note' || act.do === 'notify')) continue;
    const key = actKey(alarm, event, added.length);
    const waiting: StoredAct = { key, event, act, state: 'waiting', tries: 0, next: now, error: null };
    const done: StoredAct = { ...waiting, state: 'done', next: null };
    if (isQuiet) added.push({ ...done, error: SILENCED });
    else if (isTold(alarm, event, writing.told)) added.push({ ...done, error: TOLD });
    else if (act.do === 'notify') added.push(done);
    else if (act.do !== 'note') added.push(waiting);
    else if (!alarm.acts.some(({ note_id }) => note_id !== undefined)) {
      const made = await makeNote(alarm, done, writing);
      hasNotes ||= made.note_id !== undefined;
      added.push(made);
    }
  }
  const acts = pruned([...before, ...added]);
  hasNotes = (await changeNotes({ ...alarm, acts: before }, writing)) || hasNotes;
  return { alarm: { ...alarm, acts }, hasNotes };
}

async function makeNote(
  { project_id, device_id, start, end, name }: Blank,
  done: StoredAct,
  { tables, now, chance }: Writing,
): Promise<StoredAct> {
  try {
    const device = await tables.get('devices', device_id);
    if (device) await requireRoomForNote(tables, device);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { ...done, state: 'failed', error: error.message };
  }
  const note_id = chance.uuid();
  const of = { project_id, device_id, author: NOTE_AUTHOR, created: now };
  await tables.insert('notes', { id: note_id, ...of, start, end, text: name });
  return { ...done, note_id };
}

/** Has the notes of an alarm say what it does; one that people deleted stays so. Resolves with whether there was one. */
async function changeNotes({ acts, start, end, withdrawn }: Blank, { tables }: Writing): Promise<boolean> {
  let has = false;
  for (const { note_id } of acts) {
    const note = note_id === undefined ? null : await tables.get('notes', note_id);
    if (note === null) continue;
    const text = note.text.endsWith(WITHDRAWN) ? note.text.slice(0, -WITHDRAWN.length) : note.text;
    await tables.patch('notes', note.id, {
      start,
      end: end === null ? null : Math.max(start, end),
      text: withdrawn === null ? text : `${text}${WITHDRAWN}`,
    });
    has = true;
  }
  return has;
}

const isOver = ({ state, note_id }: StoredAct): boolean => state !== 'waiting' && note_id === undefined;

/** Leaves out old acts that are over, but what has a note. */
function pruned(acts: readonly StoredAct[]): StoredAct[] {
  let beyond = acts.filter(isOver).length - MOST_ACTS_OVER;
  return acts.filter((act) => !(isOver(act) && beyond-- > 0));
}

/** Removes the oldest alarms beyond those that are kept; never one of a firing that is compared. Resolves with the others. */
async function prune(
  tables: WritableTables,
  rows: readonly StoredAlarm[],
  { listed, since }: { readonly listed: readonly Firing[]; readonly since: Micros },
): Promise<readonly StoredAlarm[]> {
  if (rows.length <= MOST_FIRINGS) return rows;
  const starts = new Set(listed.map(({ start }) => start));
  const isListed = (row: StoredAlarm) =>
    row.since === since && row.withdrawn === null && starts.has(row.start);
  const others = rows.filter((row) => !isListed(row)).toSorted((a, b) => a.start - b.start);
  const gone = new Set(others.slice(0, rows.length - MOST_FIRINGS));
  for (const { id } of gone) await tables.remove('alarms', id);
  return rows.filter((row) => !gone.has(row));
}
