import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sealSecrets } from '#core/backup/sealed-secrets.ts';
import { inFolder } from '../../helpers/postgres/database-of-tests.ts';
import { runService, type RunningService } from '../../helpers/service/running-service.ts';
import { someRuns } from '../../helpers/some-runs.ts';
import { dataOf } from '../world.ts';
import { altered, backupWithSecrets, restored, secretsIn } from './backups.ts';

/*
 * Tokens of devices that are renewed at two installations, while backups of one are restored to the other, with their passphrase or
 * without. The model knows which token each device has there, and whether it is shown.
 */

const PASSPHRASE = 'of a story';
const DEVICES = 3;

const device = fc.nat({ max: DEVICES - 1 });
const step = fc.oneof(
  { weight: 1, arbitrary: fc.record({ is: fc.constant('renew at the first' as const), device }) },
  { weight: 2, arbitrary: fc.record({ is: fc.constant('renew at the other' as const), device }) },
  { weight: 1, arbitrary: fc.record({ is: fc.constant('back up' as const) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      is: fc.constant('restore' as const),
      nth: fc.nat({ max: 9 }),
      only: fc.option(device, { nil: null }),
      opens: fc.boolean(),
    }),
  },
);

interface Known {
  readonly token: string;
  readonly isShown: boolean;
}
interface Backup {
  readonly file: Buffer;
  readonly tokens: readonly string[];
}

/** The devices of the first installation, and what the other one is to have. */
class Story {
  readonly other: (Known | null)[] = Array.from({ length: DEVICES }, () => null);
  readonly backups: Backup[] = [];
  readonly #first: RunningService;
  readonly #there: RunningService;
  readonly #project: string;
  readonly #ids: readonly string[];
  readonly #tokens: string[];

  private constructor(
    first: RunningService,
    there: RunningService,
    project: string,
    made: [string, string][],
  ) {
    this.#first = first;
    this.#there = there;
    this.#project = project;
    this.#ids = made.map(([id]) => id);
    this.#tokens = made.map(([, token]) => token);
  }

  static async begin(first: RunningService, there: RunningService): Promise<Story> {
    const { id: project } = await dataOf(first, 'POST', '/_local/v1/projects', { name: 'Lab' });
    const made: [string, string][] = [];
    for (let n = 0; n < DEVICES; n++) {
      const body = { name: `Device ${n}`, source: 'http' };
      const { id, metadata } = await dataOf(first, 'POST', `/v2/projects/${project}/devices`, body);
      made.push([id, (metadata as { device_token: string }).device_token]);
    }
    return new Story(first, there, project, made);
  }

  async #renewed(at: RunningService, n: number): Promise<string> {
    const path = `/_local/v1/projects/${this.#project}/devices/${this.#ids[n]}/token`;
    return (await dataOf(at, 'POST', path, {}))['device_token'] as string;
  }

  async renewAtFirst(n: number): Promise<void> {
    this.#tokens[n] = await this.#renewed(this.#first, n);
  }

  async renewAtOther(n: number): Promise<void> {
    if (this.other[n]) this.other[n] = { token: await this.#renewed(this.#there, n), isShown: true };
  }

  async backUp(): Promise<void> {
    const file = await backupWithSecrets(this.#first, PASSPHRASE);
    const tokens = [...this.#tokens];
    const found = await secretsIn(file, PASSPHRASE);
    expect(found).toEqual(new Map(this.#ids.map((id, n) => [id, tokens[n]])));
    // Sealed anew at a cost that takes no time: they are opened again and again.
    const secrets = Array.from(found, ([id, secret]) => ({ table: 'devices', id, secret }) as const);
    const { lines } = await sealSecrets(inOnePart(secrets), PASSPHRASE, 16);
    const text = Buffer.concat(lines).toString();
    this.backups.push({ file: await altered(file, 'secrets.enc', () => text), tokens });
  }

  async restore({ file, tokens }: Backup, only: number | null, opens: boolean): Promise<void> {
    const split = { new: 0, same: 0, differ: 0 };
    const next = this.other.map((known, n) => {
      const token = tokens[n]!;
      if (only !== null && only !== n) return known;
      if (known !== null && known.token !== token) split.differ++;
      else if (known?.isShown === true) split.same++;
      else {
        split.new++;
        return { token, isShown: opens };
      }
      return known;
    });
    const query = only === null ? '' : `?device_id=${this.#ids[only]}`;
    const dry = `${query === '' ? '?' : `${query}&`}dry_run=true`;
    for (const each of [dry, query])
      expect((await restored(this.#there, file, each, opens ? PASSPHRASE : undefined)).secrets).toEqual(
        opens ? split : null,
      );
    this.other.splice(0, DEVICES, ...next);
  }

  /** Each device has the token of the model, whether that is shown or not. */
  async expectTokens(): Promise<void> {
    for (const [n, known] of this.other.entries()) {
      const { status, envelope } = await this.#there.request(
        'GET',
        `/v2/projects/${this.#project}/devices/${this.#ids[n]}`,
      );
      expect(status).toBe(known === null ? 404 : 200);
      if (known === null) continue;
      const { device_credentials } = envelope.data as unknown as {
        device_credentials: { device_token: string };
      };
      expect(device_credentials.device_token).toBe(known.isShown ? known.token : '');
      const body = { value: n };
      expect(
        (await this.#there.request('POST', '/integrations/http', { key: known.token, body })).status,
      ).toBe(200);
    }
  }
}

async function* inOnePart<T>(all: readonly T[]): AsyncGenerator<readonly T[]> {
  yield all;
}

describe.runIf(inFolder)('tokens of any story', () => {
  test('are those of the model, shown where their passphrase was given', { timeout: 300_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 16 }), async (steps) => {
        const first = await runService({ vault: 'memory' });
        const there = await runService({ vault: 'memory' });
        try {
          const story = await Story.begin(first, there);
          await story.backUp();
          for (const each of steps) {
            if (each.is === 'renew at the first') await story.renewAtFirst(each.device);
            else if (each.is === 'renew at the other') await story.renewAtOther(each.device);
            else if (each.is === 'back up') await story.backUp();
            else await story.restore(story.backups[each.nth % story.backups.length]!, each.only, each.opens);
            await story.expectTokens();
          }
        } finally {
          await first.stop();
          await there.stop();
        }
      }),
      { numRuns: someRuns(40) },
    );
  });
});
