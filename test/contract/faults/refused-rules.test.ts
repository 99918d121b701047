import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { runService, type RunningService } from '../../helpers/service/running-service.ts';
import { createWorld, type World } from '../world.ts';
import { clearFaults, faultsNow, setFaults } from './faulty.ts';

/* docs/rigs.md, "Faults": what is no rule is refused by its field, and the rules before it stay. */

let service: RunningService;
let world: World;

beforeAll(async () => {
  service = await runService({}, { isAlone: true });
  world = await createWorld(service);
});
afterAll(() => service.stop());
afterEach(async () => {
  await clearFaults(service);
});

const FAIL = { status: 503 };

describe('what is no rule', () => {
  const of = (rule: unknown, more: object = {}) => ({ rules: [{ do: FAIL }, rule], ...more });
  test.each<[what: string, body: unknown, message: string]>([
    ['a body without rules', {}, 'rules is required: it must be an array of {name?, match?, do}'],
    ['rules that are no list', { rules: 'all' }, 'rules must be an array of {name?, match?, do}, got "all"'],
    ['a negative seed', of({ do: FAIL }, { seed: -1 }), 'seed must be a whole number from 0, got -1'],
    ['a rule without do', of({}), 'rules.1.do is required: it must be an object of delay_ms'],
    ['an empty do', of({ do: {} }), 'rules.1.do must be an object of delay_ms'],
    ['an unknown fault', of({ do: { explode: true } }), 'rules.1.do must be an object of delay_ms'],
    [
      'an unknown field of a rule',
      of({ do: FAIL, when: 1 }),
      'rules.1 must be an object of name, match and do',
    ],
    ['an empty name', of({ name: '', do: FAIL }), 'rules.1.name must be text of 1 to 100 characters, got ""'],
    [
      'an unknown field of match',
      of({ match: { status: 200 }, do: FAIL }),
      'rules.1.match must be an object of door',
    ],
    [
      'an operation that is none',
      of({ match: { operation: 'project.list' }, do: FAIL }),
      'rules.1.match.operation must be the operationId of an operation in the OpenAPI document, or "ingest", got "project.list": did you mean "projects.list"?',
    ],
    [
      'a method in small letters',
      of({ match: { method: 'post' }, do: FAIL }),
      'rules.1.match.method must be a method such as "POST", or a packet of MQTT such as "PUBLISH", in capital letters, got "post"',
    ],
    ['an unknown door', of({ match: { door: 'ftp' }, do: FAIL }), 'rules.1.match.door must be "http"'],
    [
      'a share above 1',
      of({ match: { share: 2 }, do: FAIL }),
      'rules.1.match.share must be a number from 0 to 1, got 2',
    ],
    [
      'an every of 0',
      of({ match: { every: 0 }, do: FAIL }),
      'rules.1.match.every must be a whole number from 1',
    ],
    [
      'a first of 1.5',
      of({ match: { first: 1.5 }, do: FAIL }),
      'rules.1.match.first must be a whole number from 0',
    ],
    [
      'a door at which it cannot be done',
      of({ match: { door: 'mqtt' }, do: FAIL }),
      'rules.1.match.door must be one at which anything of do can be done',
    ],
    [
      'a negative delay',
      of({ do: { delay_ms: -1 } }),
      'rules.1.do.delay_ms must be a whole number of ms from 0 to 600000',
    ],
    [
      'a range of delays backwards',
      of({ do: { delay_ms: [5, 1] } }),
      'rules.1.do.delay_ms must be a whole number of ms from 0 to 600000',
    ],
    [
      'a status that is no failure',
      of({ do: { status: 200 } }),
      'rules.1.do.status must be a whole number from 400 to 599, got 200',
    ],
    [
      'a wait before a retry without status',
      of({ do: { retry_after_s: 1, delay_ms: 1 } }),
      'rules.1.do.retry_after_s needs status beside it',
    ],
    [
      'a drop that is neither true nor absent',
      of({ do: { drop: 'yes' } }),
      'rules.1.do.drop must be true, or absent, got "yes"',
    ],
    [
      'a drop beside a status',
      of({ do: { drop: true, status: 500 } }),
      'rules.1.do.drop cannot stand beside status',
    ],
    [
      'a refusal beside a cut',
      of({ do: { refuse: true, cut_after_bytes: 1 } }),
      'rules.1.do.cut_after_bytes cannot stand beside refuse',
    ],
    [
      'after_store without a lost answer',
      of({ do: { after_store: true } }),
      'rules.1.do.after_store needs drop, cut_after_bytes or "no-ack"',
    ],
    [
      'an unknown fault of MQTT',
      of({ do: { mqtt: 'later' } }),
      'rules.1.do.mqtt must be "no-ack", "disconnect", "duplicate"',
    ],
    [
      'a reason code that is no failure',
      of({ do: { mqtt: { reason_code: 1 } } }),
      'rules.1.do.mqtt.reason_code must be a whole number from 128 to 255, got 1',
    ],
    [
      'an unknown fault of the disk',
      of({ do: { disk: 'wet' } }),
      'rules.1.do.disk must be "full", "sync-fails" or "slow", got "wet"',
    ],
    [
      'a name that an earlier rule has',
      {
        rules: [
          { name: 'a', do: FAIL },
          { name: 'a', do: FAIL },
        ],
      },
      'rules.1.name must not be that of an earlier rule, got "a"',
    ],
    [
      'more than 100 rules',
      { rules: Array.from({ length: 101 }, () => ({ do: FAIL })) },
      'rules must have at most 100 rules',
    ],
  ])('refuses %s', async (_what, body, message) => {
    await setFaults(service, [{ name: 'before', do: { delay_ms: 0 } }]);
    const refused = await service.request('PUT', '/_local/v1/faults', { body });
    expect(refused.status).toBe(400);
    expect(refused.envelope.message.slice(0, message.length)).toBe(message);
    expect((await faultsNow(service)).rules.map(({ name }) => name)).toEqual(['before']);
  });

  test('refuses a fault of the disk for an account that shares it', async () => {
    const body = { rules: [{ do: { disk: 'full' } }] };
    const { status, envelope } = await service.request('PUT', '/_local/v1/faults', {
      key: world.strangers_key,
      body,
    });
    expect([status, envelope.message]).toEqual([
      400,
      'rules.0.do.disk is for the default account alone: all accounts share the disk, got "full"',
    ]);
  });
});
