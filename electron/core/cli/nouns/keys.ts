import { PERMISSIONS } from '#shared/schema/schemas.ts';
import { projectOf } from '../names/look-up.ts';
import { oneOf } from '../parse.ts';
import { columns, nounCommand } from './noun-command.ts';

export const list = nounCommand({
  flags: {},
  help: '',
  example: 'keys list',
  async run({ ask }) {
    const found = await ask('keys.list', {});
    return {
      data: found,
      lines: columns(found.map(({ id, permissions, name }) => [id, permissions.join(','), name])),
    };
  },
});

export const create = nounCommand({
  word: 'a NAME',
  flags: {
    permissions: { type: 'string' },
    project: { type: 'string', multiple: true },
    expires: { type: 'string' },
  },
  help: `  NAME                what it is called
  --permissions A,B   any of ${PERMISSIONS.join(', ')} (read)
  --project P         limits it to this project, by its name or its id; again for each
  --expires T         when it ends (2027-01-01T00:00:00Z)`,
  example: 'keys create "test rig" --permissions read,write',
  async run({ ask, names, word, values }) {
    const { permissions = 'read', project, expires } = values;
    const project_ids = project && (await Promise.all(project.map((each) => projectOf(names, each))));
    const key = await ask(
      'keys.create',
      {
        name: word,
        permissions: permissions.split(',').map((one) => oneOf('permissions', one.trim(), PERMISSIONS)),
        ...(project_ids && { project_ids }),
        ...(expires !== undefined && { expires_at: expires }),
      },
      { expires_at: 'expires', permissions: 'permissions' },
    );
    return { data: key, lines: [key.api_key] };
  },
});

export const revoke = nounCommand({
  word: 'the ID of a key',
  flags: {},
  help: '  ID                  as keys list says it',
  example: 'keys revoke 4bdeaaa4-6a0f-4c39-8f7c-2f6a1d7b9c01',
  async run({ ask, word }) {
    const revoked = await ask('keys.revoke', { key_id: word });
    return { data: revoked, lines: ['Revoked.'] };
  },
});
