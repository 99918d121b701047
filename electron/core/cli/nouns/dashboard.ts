import type { InputOf } from '#shared/operations/index.ts';
import type { ImportedDevice } from '#shared/operations/metadata/widgets.ts';
import { countOf } from '#shared/values/counts.ts';
import { projectOf } from '../names/look-up.ts';
import { JSON_WORD_HELP, objectOfWord } from './words/json-word.ts';
import { nounCommand } from './noun-command.ts';
import { needed } from './projects.ts';

const PROJECT = { project: { type: 'string' } } as const;
const PROJECT_HELP = '  --project P         a project, by its name or its id (as in the address of its page)';

export const exportDashboard = nounCommand({
  flags: PROJECT,
  help: PROJECT_HELP,
  example: 'dashboard export --project "Boiler room" > boilers.json',
  async run({ ask, names, values }) {
    const project_id = await projectOf(names, needed('project', values.project));
    const dashboard = await ask('widgets.export', { project_id });
    return { data: dashboard, lines: JSON.stringify(dashboard, null, 2).split('\n') };
  },
});

export const importDashboard = nounCommand({
  word: 'a FILE',
  flags: { ...PROJECT, 'dry-run': { type: 'boolean' } },
  help: `  FILE                as dashboard export writes it, ${JSON_WORD_HELP}
  --dry-run           says which devices are found, and adds nothing
${PROJECT_HELP}`,
  example: 'dashboard import boilers.json --project "Boiler room" --dry-run',
  async run({ ask, names, word, values }) {
    const dashboard = await objectOfWord(word, 'dashboard import', 'fieldbench, version and widgets');
    const project_id = await projectOf(names, needed('project', values.project));
    const dry_run = values['dry-run'] ?? false;
    const input = { project_id, dashboard, dry_run } as InputOf<'widgets.import'>;
    const done = await ask('widgets.import', input);
    const added = dry_run ? 'Added nothing.' : `Added ${countOf(done.widgets.length, 'widget')}.`;
    return { data: done, lines: [...done.devices.map(lineOf), added] };
  },
});

function lineOf({ id, name, device_id, by }: ImportedDevice): string {
  const what = name === '' ? id : name;
  if (by === null) return `${what}: not found, or several have that name; left out`;
  return by === 'id' ? `${what}: found by its id` : `${what}: found by its name, ${device_id}`;
}
