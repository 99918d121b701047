import { countOf, formatCount } from '#shared/values/counts.ts';
import { notTakenWords, rowsWords } from '#shared/operations/records/row-words.ts';
import { lastRemoval } from '#shared/operations/records/last-removal.ts';
import type { PlannedDevice, PlannedProject, Pushed, PushPlan } from '#shared/operations/records/push.ts';
import { printable } from '../printable.ts';

/* What `fieldbench push` prints for people. */

export function planLines(plan: PushPlan): string[] {
  const width = Math.max(...[...plan.projects, ...plan.devices].map(({ name }) => name.length + 2), 8);
  const lines = plan.projects.flatMap((project) => [
    oneLine(project, width, '', [project.state, ...rowsWords(project.rows)].join(', ')),
    ...notes(project),
    ...plan.devices
      .filter(({ project_id }) => project_id === project.id)
      .flatMap((device) => [
        oneLine(device, width, '  ', recordsOf(device)),
        ...notes(device).map((note) => `  ${note}`),
      ]),
  ]);
  const time = plan.seconds === null ? '' : `, about ${duration(plan.seconds)}`;
  const what = `${countOf(plan.send, 'record')}, about ${formatCount(plan.bytes)} bytes${time}`;
  const end = plan.send === 0 ? 'No records to send.' : `To send: ${what}.`;
  const left = notTakenWords(plan);
  return [`Push to ${plan.to}:`, ...lines, ...(left === null ? [] : [left]), end].map(printable);
}

export function pushedLines(pushed: Pushed): string[] {
  const problems = [...pushed.projects, ...pushed.devices].filter(({ problem }) => problem !== null);
  return [
    ...problems.map(({ name, problem }) => `  ${name}: ${problem}`),
    `Sent: ${countOf(pushed.sent, 'record')}, ${formatCount(pushed.bytes)} bytes, in ${duration(pushed.seconds)}.`,
  ].map(printable);
}

const oneLine = ({ name, state, problem }: PlannedProject, width: number, indent: string, about: string) =>
  `  ${`${indent}${name}`.padEnd(width)}  ${state === 'refused' ? `refused: ${problem}` : about}`;

function recordsOf(device: PlannedDevice): string {
  const { state, send, present, removed, conflicting, first_conflict, odd } = device;
  const { corrections, corrections_conflicting } = device;
  const removedAt = lastRemoval(device);
  const counts = [
    `${formatCount(send)} to send`,
    ...(present > 0 ? [`${formatCount(present)} there`] : []),
    ...(removedAt === null ? [] : [`${formatCount(removed)} removed in the lab, the last on ${removedAt}`]),
    ...(conflicting > 0
      ? [`${formatCount(conflicting)} at times of others, the first at ${first_conflict}`]
      : []),
    ...(corrections > 0 ? [`${countOf(corrections, 'version')} of corrections to send`] : []),
    ...(corrections_conflicting > 0
      ? [`${countOf(corrections_conflicting, 'correction')} changed on both sides, as the lab has it`]
      : []),
    ...rowsWords(device.rows),
    ...(odd > 0 ? [`${formatCount(odd)} at times that cannot be right`] : []),
  ];
  return `${state}: ${counts.join(', ')}`;
}

function notes({ id, fields, namesakes, state, problem }: PlannedProject): string[] {
  const changes = fields.map(
    ({ field, here, there, stays, changed }) =>
      `    ${field}: ${here} here, ${there} in the lab${changed === 'both' ? ', both changed' : ''}; ${stays === 'here' ? 'here’s goes' : 'the lab’s stays'}`,
  );
  const names = namesakes.map(
    (other) => `    the lab has one of that name with another id: --into ${id}=${other.id} sends into it`,
  );
  const refused = problem === null ? [] : [`    ${problem}`];
  return state === 'refused' ? [] : [...changes, ...names, ...refused];
}

function duration(seconds: number): string {
  if (seconds < 120) return `${Math.round(seconds * 10) / 10} s`;
  return seconds < 7200 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 360) / 10} h`;
}
