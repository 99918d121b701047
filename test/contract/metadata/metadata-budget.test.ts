import { afterAll, beforeAll, expect, test } from 'vitest';
import { systemRandom } from '#core/base/system-random.ts';
import { openBackend } from '#core/service/open-backend.ts';
import { openFolderMetadata } from '#core/store/metadata/file/folder-metadata.ts';
import { runService, type RunningService } from '../../helpers/service/running-service.ts';
import { aDevice, aFunction, aProject } from '../../suites/metadata/rows.ts';
import { dataOf } from '../world.ts';

/* One key fills what its project may have, and nobody else notices (docs/running.md, "Limits"). */

/** As long as a script may be, each character six bytes of a line. */
const SCRIPT = '\u0001'.repeat(65_536);
const LINE = 6 * SCRIPT.length;
const MOST = 64 << 20;
/** So many are there before; a few more have room. */
const BEFORE = Math.floor(MOST / LINE) - 2;

let service: RunningService;

beforeAll(async () => {
  service = await runService(
    {},
    {
      async open(options) {
        const metadata = await openFolderMetadata({ ...options, chance: systemRandom });
        await metadata.change(async (tables) => {
          const { default_account_id } = await tables.settings();
          for (const project of ['full', 'other']) {
            await tables.insert('projects', aProject(project, default_account_id));
            await tables.insert('devices', aDevice(`${project}-pump`, project, project.length));
          }
          for (let n = 0; n < BEFORE; n++)
            await tables.insert('functions', { ...aFunction(`f${n}`, 'full', 'full-pump'), script: SCRIPT });
        });
        await metadata.close();
        return openBackend(options);
      },
    },
  );
});
afterAll(() => service.stop());

const addFunction = (project: string, device_id: string, key?: string) =>
  service.request('POST', `/_local/v1/projects/${project}/functions`, {
    ...(key !== undefined && { key }),
    body: { device_id, name: 'Alarm', type: 'threshold', script: SCRIPT },
  });

test('a key of one project is refused what is more, and everything else goes on', async () => {
  const issued = { name: 'limited', permissions: ['read', 'admin'], project_ids: ['full'] };
  const { api_key: key } = (await dataOf(service, 'POST', '/_local/v1/keys', issued)) as { api_key?: string };
  const answers = [];
  for (let n = 0; n < 4; n++) answers.push(await addFunction('full', 'full-pump', key));
  expect(answers[0]?.envelope.success).toBe(true);
  expect(answers.at(-1)?.envelope).toMatchObject({ status: 400, data: null });
  expect(answers.at(-1)?.envelope.message).toMatch(
    /project full must be at most 67108864 bytes .*got 67\d{6} /,
  );
  expect((await addFunction('full', 'full-pump')).status).toBe(400);
  expect((await addFunction('other', 'other-pump')).envelope.success).toBe(true);

  // What is deleted can be undone, and makes room once it is gone for good.
  const device = '/_local/v1/projects/full/devices/full-pump';
  const { undo } = (await dataOf(service, 'DELETE', device)) as unknown as { undo: { id: string } };
  await dataOf(service, 'POST', `/_local/v1/undo/${undo.id}`);
  await dataOf(service, 'DELETE', '/v2/projects/full/devices/full-pump');
  const again = await dataOf(service, 'POST', '/v2/projects/full/devices', { name: 'New', source: 'http' });
  expect((await addFunction('full', again.id, key)).envelope.success).toBe(true);
});
