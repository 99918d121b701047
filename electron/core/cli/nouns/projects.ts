import { countOf } from '#shared/values/counts.ts';
import { UsageError } from '../../base/errors.ts';
import { projectOf } from '../names/look-up.ts';
import { oneOf } from '../parse.ts';
import { columns, nounCommand } from './noun-command.ts';
import { REASON_FIELDS, REASON_FLAG, REASON_HELP, reasonOf } from './words/reason-flag.ts';

const PROJECT = { project: { type: 'string' } } as const;
const PROJECT_HELP = '  --project P         a project, by its name or its id (as in the address of its page)';

const ASK_REASON = { 'ask-reason': { type: 'string' } } as const;
const ASK_REASON_HELP =
  '  --ask-reason yes    asks for a reason whenever data are changed (no: asks for none)';

/** Whether a reason is to be asked for; undefined where nothing is said. Throws UsageError. */
const asksForReason = (value: string | undefined): boolean | undefined =>
  value === undefined ? undefined : oneOf('ask-reason', value, ['yes', 'no']) === 'yes';

/** Throws UsageError where a project is needed and none is given. */
export function needed(flag: string, value: string | undefined): string {
  if (value === undefined || value === '') throw new UsageError(`--${flag} is needed. See --help.`);
  return value;
}

export const list = nounCommand({
  flags: {},
  help: '',
  example: 'projects list',
  async run({ ask }) {
    const found = await ask('projects.find', {});
    return {
      data: found,
      lines: columns(found.map(({ id, name, devices }) => [id, countOf(devices, 'device'), name])),
    };
  },
});

export const show = nounCommand({
  flags: PROJECT,
  help: PROJECT_HELP,
  example: 'projects show --project "Boiler room"',
  async run({ ask, names, values }) {
    const project_id = await projectOf(names, needed('project', values.project));
    const { id, name, description, created_at } = await ask('projects.get', { project_id });
    const found = await ask('projects.find', {});
    const reason_required = found.find((project) => project.id === id)?.reason_required ?? false;
    return {
      data: { id, name, description, created_at, reason_required },
      lines: columns([
        ['id', id],
        ['name', name],
        ['description', description],
        ['made', created_at],
        ['asks for a reason', reason_required ? 'yes' : 'no'],
      ]),
    };
  },
});

const FIELDS = { name: 'name', description: 'description', reason_required: 'ask-reason' } as const;

export const create = nounCommand({
  word: 'a NAME',
  flags: { description: { type: 'string' }, ...ASK_REASON },
  help: `  NAME                what it is called
  --description TEXT  what it is about
${ASK_REASON_HELP}`,
  example: 'projects create "Boiler room"',
  async run({ ask, word, values }) {
    const reason_required = asksForReason(values['ask-reason']) ?? false;
    const { description = '' } = values;
    const project = await ask('projects.create', { name: word, description, reason_required }, FIELDS);
    return { data: project, lines: [project.id] };
  },
});

export const change = nounCommand({
  flags: { ...PROJECT, name: { type: 'string' }, description: { type: 'string' }, ...ASK_REASON },
  help: `${PROJECT_HELP}
  --name NAME         what it is called from now on
  --description TEXT  what it is about
${ASK_REASON_HELP}`,
  example: 'projects change --project "Boiler room" --ask-reason yes',
  async run({ ask, names, values }) {
    const { name, description, 'ask-reason': asked } = values;
    if (name === undefined && description === undefined && asked === undefined)
      throw new UsageError('projects change takes --name, --description or --ask-reason.');
    const reason_required = asksForReason(asked);
    const project_id = await projectOf(names, needed('project', values.project));
    const project = await ask('projects.update', { project_id, name, description, reason_required }, FIELDS);
    return { data: project, lines: [project.id] };
  },
});

export const remove = nounCommand({
  flags: { ...PROJECT, ...REASON_FLAG },
  help: `${PROJECT_HELP}
${REASON_HELP}`,
  example: 'projects delete --project "Boiler room"',
  async run({ ask, names, values }) {
    const project_id = await projectOf(names, needed('project', values.project));
    const removed = await ask('projects.remove', { project_id, ...reasonOf(values) }, REASON_FIELDS);
    return { data: removed, lines: [undoLine(removed)] };
  },
});

interface Undo {
  readonly id: string;
  readonly until: string;
}

/** Until when a delete can be undone, and by which command. */
export const untilLine = ({ id, until }: Undo) => `Until ${until}: fieldbench undo restore ${id}`;

/** Answer of a delete that can be undone. */
export interface Deleted {
  readonly deleted: { readonly devices?: number | undefined; readonly records: number };
  readonly undo: Undo;
}

/** Counts of a delete, and the command that undoes it. */
export function undoLine({ deleted: { devices, records }, undo }: Deleted): string {
  const what = [
    ...(devices === undefined ? [] : [countOf(devices, 'device')]),
    countOf(records, 'record'),
  ].join(' and ');
  return `Deleted, with ${what}. ${untilLine(undo)}`;
}
