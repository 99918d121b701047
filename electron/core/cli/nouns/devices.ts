import { SOURCES } from '#shared/domain/sources.ts';
import { countOf } from '#shared/values/counts.ts';
import { alternatives } from '#shared/values/text.ts';
import { UsageError } from '../../base/errors.ts';
import { projectOf, SCOPE_FLAGS, SCOPE_FLAGS_HELP, scopeOf, type Holdings } from '../names/look-up.ts';
import { oneOf } from '../parse.ts';
import { columns, nounCommand } from './noun-command.ts';
import { needed, undoLine } from './projects.ts';
import { REASON_FIELDS, REASON_FLAG, REASON_HELP, reasonOf } from './words/reason-flag.ts';

/** Devices of one answer. */
const PAGE = 10_000;

export const list = nounCommand({
  flags: { project: { type: 'string' } },
  help: '  --project P         those of this project alone, by its name or its id',
  example: 'devices list --project "Boiler room"',
  async run({ ask, names, values }) {
    const only = values.project === undefined ? null : await projectOf(names, values.project);
    const found = [];
    for (const project of await ask('projects.list', {})) {
      if (only !== null && project.id !== only) continue;
      for (let page = 1; ; page++) {
        const some = await ask('devices.find', { project_id: project.id, page, limit: PAGE, sort: 'name' });
        for (const device of some) found.push({ project, device });
        if (some.length < PAGE) break;
      }
    }
    return {
      data: found.map(({ project, device }) => ({ ...device, project_id: project.id })),
      lines: columns(
        found.map(({ project, device }) => [
          device.id,
          device.status,
          countOf(device.records, 'record'),
          `${project.name}/${device.name}`,
        ]),
      ),
    };
  },
});

export const show = nounCommand({
  flags: SCOPE_FLAGS,
  help: SCOPE_FLAGS_HELP,
  example: 'devices show --device ESP32',
  async run({ ask, names, values }) {
    const of = await deviceOf(names, values);
    const device = await ask('devices.get', of);
    const summary = await ask('devices.summary', of);
    return {
      data: { ...device, summary },
      lines: columns([
        ['id', device.id],
        ['name', device.name],
        ['source', summary.source],
        ['tags', device.tags.join(', ')],
        ['last seen', device.last_seen],
        ['records', `${summary.records}`],
        ['first', summary.first ?? ''],
        ['last', summary.last ?? ''],
        ['keys', summary.keys.map(({ key }) => key).join(', ')],
      ]),
    };
  },
});

export const create = nounCommand({
  word: 'a NAME',
  flags: {
    project: { type: 'string' },
    source: { type: 'string' },
    description: { type: 'string' },
    tag: { type: 'string', multiple: true },
  },
  help: `  NAME                what it is called
  --project P         the project that it goes to, by its name or its id
  --source S          ${alternatives(SOURCES)} (http)
  --description TEXT  what it is
  --tag T             a tag, again for each`,
  example: 'devices create "Pump 2" --project "Boiler room"',
  async run({ ask, names, word, values }) {
    const project_id = await projectOf(names, needed('project', values.project));
    const { description = '', tag = [] } = values;
    const source = oneOf('source', values.source ?? 'http', SOURCES);
    const device = await ask(
      'devices.create',
      { project_id, name: word, source, description, tags: tag },
      { description: 'description', tags: 'tag' },
    );
    return { data: device, lines: [device.id, device.metadata.device_token] };
  },
});

export const token = nounCommand({
  flags: { ...SCOPE_FLAGS, renew: { type: 'boolean' } },
  help: `${SCOPE_FLAGS_HELP}
  --renew             gives it another one: the old one is unknown from then on`,
  example: 'devices token --device ESP32',
  async run({ ask, names, values }) {
    const of = await deviceOf(names, values);
    const found = values.renew
      ? await ask('devices.renew-token', of)
      : (await ask('devices.get', of)).device_credentials;
    return { data: found, lines: [found.device_token] };
  },
});

export const remove = nounCommand({
  flags: { ...SCOPE_FLAGS, ...REASON_FLAG },
  help: `${SCOPE_FLAGS_HELP}
${REASON_HELP}`,
  example: 'devices delete --device ESP32',
  async run({ ask, names, values }) {
    const removed = await ask(
      'devices.remove',
      { ...(await deviceOf(names, values)), ...reasonOf(values) },
      REASON_FIELDS,
    );
    return { data: removed, lines: [undoLine(removed)] };
  },
});

/** Resolves with the device that the flags mean. Rejects with UsageError. */
export async function deviceOf(
  names: Holdings,
  values: { readonly project?: string | undefined; readonly device?: string | undefined },
): Promise<{ readonly project_id: string; readonly device_id: string }> {
  const device = needed('device', values.device);
  const { project_id, device_id } = await scopeOf(names, values);
  if (project_id === undefined || device_id === undefined)
    throw new UsageError(`--device must be the name or id of a device of the service, got "${device}".`);
  return { project_id, device_id };
}
