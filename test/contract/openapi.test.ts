import { createConfig, lintFromString } from '@redocly/openapi-core';
import spectralCore, { type RulesetDefinition } from '@stoplight/spectral-core';
import spectralRulesets from '@stoplight/spectral-rulesets';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { httpOperationIds, operationOf, type HttpId } from '#shared/operations/index.ts';
import { reads } from '#shared/operations/reads.ts';
import { fillPath } from '#shared/schema/path-parameters.ts';
import { createChecker, type Checker, type Published } from '../helpers/published.ts';
import { memoryKeychain, openWith } from '../helpers/store/vaults.ts';
import { runService, type HttpAnswer, type RunningService } from '../helpers/service/running-service.ts';
import { SETTABLE, createWorld, inputOf, send, type World } from './world.ts';

/* The service's OpenAPI document: read by its address, without fault for the tools that read such, and true. */

const ADDRESS = '/_local/v1/openapi.json';

let service: RunningService;
let served: HttpAnswer;
let document: Published & Record<string, unknown>;
let checker: Checker;

beforeAll(async () => {
  // A vault that can be moved, and then rotated.
  service = await runService({ vault: 'auto', clock: SETTABLE }, { open: openWith(memoryKeychain()) });
  served = await service.request('GET', ADDRESS);
  document = JSON.parse(served.text) as typeof document;
  checker = createChecker(document);
});
afterAll(() => service.stop());

describe('the document', () => {
  test('is served bare, to who has a key', async () => {
    expect(served.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(Object.keys(document)).toEqual([
      'openapi',
      'info',
      'servers',
      'security',
      'tags',
      'paths',
      'components',
    ]);
    const { envelope } = await service.request('GET', ADDRESS, { key: null });
    expect(envelope).toMatchObject({ success: false, action: 'get openapi', status: 401, data: null });
  });

  test('has every operation, and marks those beyond the /v2 document', () => {
    const described = Object.entries(document.paths).flatMap(([path, item]) =>
      Object.entries(item).map(([method, operation]) => [
        operation.operationId,
        `${method.toUpperCase()} ${path}`,
        'x-extension' in operation,
      ]),
    );
    const expected = httpOperationIds.map((id) => {
      const { method, path } = operationOf(id);
      return [id, `${method} ${fillPath(path, (name) => `{${name}}`)}`, path.startsWith('/_local/')];
    });
    expected.push(['integrations.http', 'POST /integrations/http', true]);
    expect(new Set(described)).toEqual(new Set(expected));
    expect(described).toHaveLength(expected.length);
  });

  test('names the resources once, for types that have names', () => {
    const { components } = document as unknown as { components: { schemas: object } };
    expect(Object.keys(components.schemas)).toEqual(
      expect.arrayContaining(['Project', 'DeviceItem', 'Device', 'DataRecord', 'ApiKey', 'Widget']),
    );
    expect(served.text).not.toMatch(/\$schema|\$defs|__schema/);
  });
});

/** What two linters with their recommended rules say; each is first shown a fault, so that silence means something. */
describe('linters', () => {
  const faulty = () => {
    const { info: _, ...rest } = structuredClone(document);
    return rest;
  };

  test('of Redocly find nothing', async () => {
    const config = await createConfig({ extends: ['recommended'] });
    const lint = async (source: object) => {
      const problems = await lintFromString({
        source: JSON.stringify(source),
        absoluteRef: 'openapi.json',
        config,
      });
      return problems.map(({ ruleId, message }) => `${ruleId}: ${message}`);
    };
    expect(await lint(faulty())).not.toEqual([]);
    expect(await lint(document)).toEqual([]);
  });

  test('of Spectral find nothing', async () => {
    const spectral = new spectralCore.Spectral();
    spectral.setRuleset({ extends: [spectralRulesets.oas as RulesetDefinition] });
    const lint = async (source: object) =>
      (await spectral.run(source as Record<string, unknown>)).map(
        ({ code, message, path }) => `${code}: ${message} (${path.join('/')})`,
      );
    expect(await lint(faulty())).not.toEqual([]);
    expect(await lint(document)).toEqual([]);
  });
});

/** A world for each operation takes a database its time. */
const MANY_WORLDS_MS = 300_000;

describe('answers are as published', () => {
  const expectPublished = (id: HttpId, answer: HttpAnswer) => {
    const { method, path } = operationOf(id);
    const fault = checker.faultOf(
      method,
      fillPath(path, (name) => `{${name}}`),
      answer,
    );
    expect([id, answer.status, fault]).toEqual([id, answer.status, null]);
  };

  test(
    'where they refuse',
    async () => {
      let world: World | null = null;
      for (const id of httpOperationIds) {
        const here: World = (world ??= await createWorld(service));
        const input = inputOf(id, here);
        const refused = [
          await send(service, id, input, null),
          await send(service, id, input, here.strangers_key),
          await send(service, id, { ...input, project_id: 'nope', device_id: 'nope', key_id: 'nope' }),
          await send(service, id, {
            ...input,
            name: '',
            page: 'x',
            width: 0,
            start: 'x',
            sample: 1,
            format: 'x',
          }),
        ];
        expect(refused[0]?.status).toBe(401);
        for (const answer of refused) expectPublished(id, answer);
        // Some of these succeed, and then change what there is.
        if (!reads(id) && refused.some(({ status }) => status < 400)) world = null;
      }
      const stored = await service.request('POST', '/integrations/http', { key: 'wrong', body: {} });
      expect(checker.faultOf('POST', '/integrations/http', stored)).toBeNull();
    },
    MANY_WORLDS_MS,
  );

  test(
    'where they succeed',
    async () => {
      // The world of before may have been emptied.
      const { device_token } = await createWorld(service);
      const stored = await service.request('POST', '/integrations/http', {
        key: device_token,
        body: [{ a: 1, b: 'text', c: true }],
      });
      expect([stored.status, checker.faultOf('POST', '/integrations/http', stored)]).toEqual([200, null]);
      // Wherever the vault is by now: it is moved to a file.
      await send(service, 'secrets.move', { to: 'keychain' });
      let world: World | null = null;
      for (const id of httpOperationIds) {
        const answer = await send(service, id, inputOf(id, (world ??= await createWorld(service))));
        if (!reads(id)) world = null;
        expect([id, answer.status]).toEqual([id, operationOf(id).status]);
        expectPublished(id, answer);
      }
    },
    MANY_WORLDS_MS,
  );

  test('and what is not would be seen', async () => {
    const answer = await service.request('GET', '/v2/projects');
    const faultOf = (changed: Partial<HttpAnswer>) =>
      checker.faultOf('GET', '/v2/projects', { ...answer, ...changed });
    expect(faultOf({})).toBeNull();
    for (const wrong of [
      answer.text.replace('"success":true', '"success":false'),
      answer.text.replace('"status":200', '"status":201'),
      answer.text.replace('"created_at":"2', '"created_at":"x'),
      answer.text.replace('"name":', '"title":'),
      answer.text.replace('"data":', '"extra":1,"data":'),
    ])
      expect([wrong, faultOf({ text: wrong })]).toEqual([wrong, expect.any(String)]);
    expect(faultOf({ status: 418 })).toContain('418');
    expect(faultOf({ headers: new Headers({ 'content-type': 'text/html' }) })).toContain('text/html');
  });
});

test('lengths are counted as published: by code points', async () => {
  const create = (name: string) => service.request('POST', '/_local/v1/projects', { body: { name } });
  expect((await create('🔥'.repeat(100))).status).toBe(200);
  expect((await create('🔥'.repeat(101))).envelope.message).toContain('must be text of 1 to 100 characters');
});
