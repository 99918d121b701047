import { readList, repeatedNames, tokensFile } from '#shared/domain/device-list.ts';
import { SOURCES } from '#shared/domain/sources.ts';
import { countOf } from '#shared/values/counts.ts';
import { alternatives } from '#shared/values/text.ts';
import { UsageError } from '../../base/errors.ts';
import { projectOf } from '../names/look-up.ts';
import { oneOf } from '../parse.ts';
import { readInput } from '../read-input.ts';
import { nounCommand } from './noun-command.ts';
import { needed } from './projects.ts';

/** Rows that cannot be taken, in one message. */
const MOST_SAID = 10;

/** `fieldbench devices import`: the same list as the app takes. */
export const importDevices = nounCommand({
  word: 'a FILE',
  flags: { project: { type: 'string' }, source: { type: 'string' }, 'dry-run': { type: 'boolean' } },
  help: `  FILE                a name a line, or a CSV with columns such as name, tags, brand, model,
                      description, source and interval_s; - is stdin
  --project P         the project that they go to, by its name or its id
  --source S          ${alternatives(SOURCES)}, of rows that name none (http)
  --dry-run           says what would be made, and makes nothing`,
  example: 'devices import pumps.csv --project "Boiler room" > tokens.csv',
  async run({ ask, names, word, values, remark }) {
    const project_id = await projectOf(names, needed('project', values.project));
    const source = oneOf('source', values.source ?? 'http', SOURCES);
    const { rows, unknown, problem } = readList((await readInput('FILE', word)).toString(), source);
    if (problem !== null) throw new UsageError(`${word}: ${problem}`);
    const wrong = rows.filter((row) => row.problem !== null);
    const [first] = wrong;
    if (first !== undefined) {
      const said = wrong.slice(0, MOST_SAID).map((row) => `line ${row.line} ${row.problem}`);
      const more = wrong.length > MOST_SAID ? `, and ${wrong.length - MOST_SAID} more` : '';
      throw new UsageError(`${word}: ${said.join(', ')}${more}. Nothing was made.`);
    }
    if (rows.length === 0) throw new UsageError(`${word} names no device.`);
    for (const column of unknown) remark(`The column "${column}" means nothing here, and is left out.`);
    const known = await names.devices(project_id);
    const { twice, there } = repeatedNames(
      rows,
      known.map(({ name }) => name),
    );
    for (const name of twice) remark(`"${name}" is in the list more than once.`);
    for (const name of there) remark(`The project has a device "${name}" already.`);
    const wanted = rows.map(({ row }) => ({ ...row, tags: [...(row.tags ?? [])] }));
    if (values['dry-run'])
      return {
        data: wanted,
        lines: [
          `Would make ${countOf(rows.length, 'device')}; nothing was changed:`,
          ...rows.map(({ row }) => `  ${row.name}`),
        ],
      };
    const made = await ask('devices.create-many', { project_id, devices: wanted });
    remark(`Made ${countOf(made.length, 'device')}.`);
    return { data: made, lines: tokensFile(made).trimEnd().split('\r\n') };
  },
});
