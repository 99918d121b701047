import { countOf } from '#shared/values/counts.ts';
import { UsageError } from '../../base/errors.ts';
import { projectOf } from '../names/look-up.ts';
import { columns, nounCommand } from './noun-command.ts';

const PROJECT = { project: { type: 'string' } } as const;
const PROJECT_HELP = '  --project P         a project, by its name or its id (as in the address of its page)';

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
    const project = await ask('projects.get', { project_id });
    const { id, name, description, created_at } = project;
    return {
      data: project,
      lines: columns([
        ['id', id],
        ['name', name],
        ['description', description],
        ['made', created_at],
      ]),
    };
  },
});

export const create = nounCommand({
  word: 'a NAME',
  flags: { description: { type: 'string' } },
  help: '  NAME                what it is called\n  --description TEXT  what it is about',
  example: 'projects create "Boiler room"',
  async run({ ask, word, values }) {
    const project = await ask(
      'projects.create',
      { name: word, description: values.description ?? '' },
      { description: 'description' },
    );
    return { data: project, lines: [project.id] };
  },
});

export const remove = nounCommand({
  flags: PROJECT,
  help: PROJECT_HELP,
  example: 'projects delete --project "Boiler room"',
  async run({ ask, names, values }) {
    const project_id = await projectOf(names, needed('project', values.project));
    const removed = await ask('projects.remove', { project_id });
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
