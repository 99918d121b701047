import { notTakenWords, rowsWords } from '#shared/operations/records/row-words.ts';
import { lastRemoval } from '#shared/operations/records/last-removal.ts';
import type {
  FieldChange,
  PlannedDevice,
  PlannedProject,
  Pushed,
  PushPlan,
} from '#shared/operations/records/push.ts';
import { countOf, formatBytes, formatCount, formatDuration } from '../../format.ts';

/** `1,200 records to send, about 180 KB, about 2 s.` */
export function planWords({ send, bytes, seconds }: PushPlan): string {
  if (send === 0) return 'The lab has all records already.';
  const time = seconds === null ? '' : `, about ${formatDuration(Math.max(1, seconds))}`;
  return `${countOf(send, 'record')} to send, about ${formatBytes(bytes)}${time}.`;
}

export function pushedWords({ sent, devices, projects }: Pushed): string {
  const problems = [...projects, ...devices].filter(({ problem }) => problem !== null).length;
  return `${countOf(sent, 'record')} sent${problems > 0 ? `, ${countOf(problems, 'problem')}` : ''}`;
}

/** Returns the plan of the project itself, in words; null where it is there and the same. */
export function projectWords(plan: PushPlan): string | null {
  const left = notTakenWords(plan);
  const [project] = plan.projects;
  const words = project === undefined ? [] : aboutProject(project);
  const said = [...words, ...(left === null ? [] : [left])];
  return said.length === 0 ? null : said.join(' ');
}

function aboutProject({ state, problem, fields, rows }: PlannedProject): string[] {
  if (state === 'new')
    return ['The lab does not have the project yet: it is made there.', ...sentence(rowsWords(rows))];
  if (state === 'refused') return problem === null ? [] : [problem];
  const changes = fields.length === 0 ? [] : [changeWords(fields)];
  return [...sentence([...changes, ...rowsWords(rows)]), ...(problem === null ? [] : [problem])];
}

const sentence = (words: readonly string[]): string[] => (words.length === 0 ? [] : [`${words.join('; ')}.`]);

/** Returns the note of a row beside its numbers. */
export function noteOf(device: PlannedDevice, pushed: Pushed | null): string {
  const done = pushed?.devices.find(({ id }) => id === device.id);
  if (done) return done.problem ?? `${formatCount(done.sent)} sent`;
  if (device.state === 'refused' && device.problem !== null) return device.problem;
  const removedAt = lastRemoval(device);
  const words = [
    ...(removedAt === null ? [] : [`last removed in the lab on ${removedAt}`]),
    ...(device.first_conflict === null ? [] : [`first conflict at ${device.first_conflict}, both stay`]),
    ...(device.corrections > 0 ? [`${countOf(device.corrections, 'version')} of corrections to send`] : []),
    ...(device.corrections_conflicting > 0
      ? [`${countOf(device.corrections_conflicting, 'correction')} changed on both sides, as the lab has it`]
      : []),
    ...rowsWords(device.rows),
    ...(device.problem === null ? [] : [device.problem]),
    ...(device.odd > 0 ? [`${formatCount(device.odd)} at times that cannot be right`] : []),
    ...(device.fields.length > 0 ? [changeWords(device.fields)] : []),
  ];
  return words.join('; ');
}

const changeWords = (fields: readonly FieldChange[]) =>
  fields
    .map(({ field, here, there, stays }) =>
      stays === 'here'
        ? `${field} becomes ${here}, was ${there}`
        : `${field} stays ${there}, here it is ${here}`,
    )
    .join('; ');

/** Words for states. */
export const STATE_WORDS: Readonly<Record<PlannedProject['state'], string>> = {
  new: 'New',
  same: 'Same',
  different: 'Different',
  refused: 'Refused',
};
