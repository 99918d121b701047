import { describe, expect, test } from 'vitest';
import type { DecoderDraft } from '../../../../../../renderer/stores/decoder-drafts.ts';
import { payloadForm } from '#shared/domain/decoders.ts';
import {
  conditionOf,
  draftOf,
  formBy,
  isSame,
  lineIn,
  nameOfFile,
  NO_DRAFT,
  payloadProblems,
  problemsOf,
  SERVER_NAMES,
  wayOf,
  type DraftProblems,
} from '../../../../../../renderer/views/device/decoder/decoder-draft.ts';

/* A decoder as it is written in the form, and as the service takes it. */

const saved = (condition: object | null) => draftOf({ name: 'Door', script: 'x', condition });

describe('how a device sends', () => {
  test.each([
    { payload: 'bytes' },
    { payload: 'hex', port: 0 },
    { payload: 'base64', port: 255 },
    { payload: 'json', at: 'a.b', encoding: 'hex' },
    { payload: 'json', at: 'data', encoding: 'base64', port_at: 'fPort', port: 2 },
  ])('%j is written as it was read', (condition) => {
    expect(conditionOf(saved(condition).form)).toEqual(condition);
  });

  test.each([null, {}, { payload: 'morse' }, { payload: 'json', at: 4, port: 'x', encoding: [] }])(
    '%j is no form, and can be chosen anew',
    (condition) =>
      expect(typeof payloadForm(conditionOf({ ...saved(condition).form, at: 'a' }))).toBe('object'),
  );

  test.each(SERVER_NAMES)('%s is one that the service takes, and known by its paths', (name) => {
    const form = formBy(name, NO_DRAFT.form);
    expect(payloadForm(conditionOf(form))).toEqual(conditionOf(form));
    expect(wayOf(form)).toBe(name);
    expect(wayOf({ ...form, port_at: 'elsewhere' })).toBe('json');
    expect(formBy('json', form)).toMatchObject({ payload: 'json', at: '', port_at: '' });
  });
});

const WRONG: readonly (readonly [Partial<DecoderDraft>, Partial<DraftProblems>])[] = [
  [
    {},
    { name: 'A name, such as “Door sensor”.', script: 'The script is missing: paste it, or drop its file.' },
  ],
  [{ name: 'a', script: 'x\0' }, { script: 'This is no text.' }],
  [{ name: 'a', script: 'x'.repeat(65_537) }, { script: 'At most 65,536 characters; this has 65,537.' }],
  [{ name: 'a', script: 'x'.repeat(65_536) }, {}],
  [
    { name: 'a', script: 'x', form: { ...NO_DRAFT.form, payload: 'json' as const, at: ' ' } },
    { at: 'Where in the message the bytes are.' },
  ],
  ...['256', '-1', '1.5', 'one'].map(
    (port) =>
      [
        { name: 'a', script: 'x', form: { ...NO_DRAFT.form, port } },
        { port: 'A whole number from 0 to 255.' },
      ] as const,
  ),
  [{ name: 'a', script: 'x', form: { ...NO_DRAFT.form, port: ' 255 ' } }, {}],
];
test.each(WRONG)('a draft: what is wrong with it (%#)', (part, wrong) => {
  const nothing = { name: null, script: null, at: null, port: null };
  expect(problemsOf({ ...NO_DRAFT, ...part })).toEqual({ ...nothing, ...wrong });
});

test('a draft is the same where it would be saved alike', () => {
  const draft = saved({ payload: 'hex' });
  expect(isSame(draft, { ...draft, name: ' Door ', form: { ...draft.form, at: 'left.over' } })).toBe(true);
  expect(isSame(draft, { ...draft, script: 'y' })).toBe(false);
  expect(isSame(draft, { ...draft, form: { ...draft.form, port: '3' } })).toBe(false);
});

test.each([
  ['TypeError: no bytes (line 5)', 5],
  ['too long', null],
  ['online 3', null],
] as const)('%s names line %s', (message, line) => expect(lineIn(message)).toBe(line));

test.each([
  ['dragino-lht65.js', 'dragino-lht65'],
  ['decoder', 'decoder'],
  ['a.b.min.js', 'a.b.min'],
])('%s is called %s', (file, name) => expect(nameOfFile(file)).toBe(name));

test.each([
  ['00 d7:2D-ff', '', null, null],
  ['', '255', null, null],
  ['00 d', '', 'Pairs of hexadecimal digits, such as 00 d7 2d.', null],
  ['00'.repeat(32_768), '256', null, 'A whole number from 0 to 255.'],
  ['00'.repeat(32_769), '', 'At most 32,768 bytes; these are 32,769.', null],
])('a payload that is typed as %j with port %j says what is wrong with it', (bytes, port, ...said) => {
  const problems = payloadProblems({ bytes, port });
  expect([problems.bytes, problems.port]).toEqual(said);
});
