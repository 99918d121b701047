import { describe, expect, test } from 'vitest';
import { ruleOf } from '#shared/domain/rules.ts';
import { withOneMore as withOneMoreAct } from '../../../../renderer/rules/acts-draft.ts';
import { statesOf, type LeafDraft } from '../../../../renderer/rules/leaf-draft.ts';
import {
  canBeTried,
  draftOf,
  faultAt,
  isKept,
  isSame,
  keysOf,
  newDraft,
  tagOf,
  withOneMore,
  written,
  type RuleDraft,
} from '../../../../renderer/rules/rule-draft.ts';

/* A rule as it is written in the form, and as the service takes it. */

const saved = (condition: object, isOfTag = false) => draftOf({ name: 'Hot', condition }, isOfTag);
const hot = { key: 'supply', above: 85 };

describe('what is saved is written as it was read', () => {
  test.each<object>([
    { when: hot },
    { when: { ...hot, hysteresis: 2.5 }, for_s: 600 },
    { when: { key: 'supply', below: -0.5 }, for_s: 2_678_400 },
    { when: { key: 'supply', outside: { low: 5 } } },
    { when: { key: 'supply', outside: { low: 5, high: 1e-7 + 6 }, hysteresis: 1 } },
    { when: { key: 'supply', outside: 'normal' } },
    { when: { key: 'supply', change: 5, within_s: 90 } },
    { when: { key: 'door', is: 'open' } },
    { when: { key: 'door', is: ['open, wide', '3', 3, true, 'true', ' a', 'he said "no"', ''] } },
    { when: { silent_s: 900 } },
    { when: { silent_s: 0.5, key: 'supply' } },
    { when: { all: [hot, { silent_s: 60 }] } },
    { when: { any: [hot, { all: [hot, { key: 'door', is: true }] }] }, for_s: 1.5 },
    {
      when: hot,
      acts: [
        { do: 'note' },
        { do: 'notify', sound: true },
        { do: 'webhook', url: 'https://example.org/a' },
        { do: 'webhook', url: 'http://example.org/b' },
        { do: 'mqtt' },
        { do: 'mail', to: ['a@example.org', 'b@example.org'] },
      ],
      values: true,
    },
  ])('%j', (condition) => {
    expect(ruleOf(condition)).toBeTypeOf('object');
    const { condition: again, problems } = written(saved(condition));
    expect([...problems]).toEqual([]);
    expect(ruleOf(again)).toEqual(ruleOf(condition));
  });

  test('with the tag of its devices', () => {
    const condition = { when: hot, devices: { tag: 'boiler' } };
    const draft = saved(condition, true);
    expect(draft.tag).toBe('boiler');
    expect(ruleOf(written(draft).condition)).toEqual(ruleOf(condition));
    expect([tagOf(condition), tagOf({ when: hot }), tagOf(null)]).toEqual(['boiler', null, null]);
  });

  test('what is no rule is written anew', () => {
    expect(saved({ when: { key: 'x' } })).toEqual({ ...newDraft('', null), name: 'Hot' });
  });
});

const problemsOf = (draft: RuleDraft) => Object.fromEntries(written(draft).problems);
const leaf = (draft: RuleDraft, part: Partial<LeafDraft>): RuleDraft => ({
  ...draft,
  items: draft.items.map((item, at) => (at === 0 && !isKept(item) ? { ...item, ...part } : item)),
});

describe('what is wrong is said at its field', () => {
  const draft = saved({ when: hot });

  test('what cannot be read', () => {
    expect(problemsOf({ ...draft, name: ' ' })).toEqual({ name: 'A name, such as “Boiler too hot”.' });
    expect(problemsOf(leaf(draft, { limit: '' }))).toEqual({ 'c0.limit': 'A number, such as 85.' });
    expect(problemsOf(leaf(draft, { limit: '8x', key: '' }))).toEqual({
      'c0.limit': 'A number, such as 85.',
      'c0.key': 'A key of the device.',
    });
    expect(problemsOf({ ...draft, lasts: 'soon' })).toEqual({ lasts: 'A time, such as “10 min” or “1 h”.' });
    expect(problemsOf(leaf(draft, { choice: 'is', states: ' , ' }))).toEqual({
      'c0.states': 'A state, such as open; several with commas.',
    });
    expect(problemsOf({ ...draft, tag: '' })).toEqual({ tag: 'The tag of the devices.' });
  });

  test.each<[string, Partial<LeafDraft>, string, string]>([
    ['a hysteresis', { hysteresis: '-1' }, 'c0.hysteresis', 'must be a number from 0, got -1'],
    ['limits without any', { choice: 'outside' }, 'c0.low', 'must have low, high, or both, got {}'],
    [
      'a window',
      { choice: 'change', change: '5', within: '2 days' },
      'c0.within',
      'must be a number of seconds above 0, up to 86400, got 172800',
    ],
  ])('in the words of the service: %s', (_what, part, field, words) => {
    expect(problemsOf(leaf(draft, part))).toEqual({ [field]: words });
  });

  test('of the second condition, and of acts', () => {
    const two = saved({ when: { any: [hot, hot] } });
    const items = two.items.map((item, at) => (at === 1 ? { ...item, hysteresis: '-2' } : item));
    expect(problemsOf({ ...two, items })).toEqual({ 'c1.hysteresis': 'must be a number from 0, got -2' });
    const acts = {
      ...draft.acts,
      note: true,
      webhooks: [{ id: 'webhook0', text: 'ftp://example.org' }],
    };
    expect(problemsOf({ ...draft, acts })).toEqual({
      webhook0: 'must be an address that begins with https:// or http://, got "ftp://example.org"',
    });
    const mails = [{ id: 'mail0', text: 'a@example.org, nobody' }];
    expect(problemsOf({ ...draft, acts: { ...draft.acts, mails } })).toEqual({
      mail0: 'must be an e-mail address, got "nobody"',
    });
  });

  test('a refusal that is of no field is said whole', () => {
    const { fields } = written(draft);
    expect(faultAt('condition.when.above must be a number, got null', fields)).toEqual([
      'c0.limit',
      'must be a number, got null',
    ]);
    expect(faultAt('A project has at most 200 rules.', fields)).toEqual([
      '',
      'A project has at most 200 rules.',
    ]);
    expect(faultAt('condition.whenever is no field', fields)).toEqual(['', 'condition.whenever is no field']);
  });

  test('without its name it can be tried all the same', () => {
    expect(canBeTried(written({ ...draft, name: '' }))).toBe(true);
    expect(canBeTried(written(leaf(draft, { limit: '' })))).toBe(false);
    // What the schema says is asked before, too.
    expect(canBeTried(written({ ...leaf(draft, { hysteresis: '-1' }), name: '' }))).toBe(false);
  });
});

test('states are texts, numbers, true and false; a text in quotation marks is one', () => {
  expect(statesOf('open, 3 ,true,"3","a, b", -1.5e3,')).toEqual(['open', 3, true, '3', 'a, b', -1500]);
  expect(statesOf('')).toEqual([]);
});

test('a condition that is added is of the key of the last one, and removed it leaves the draft as it was', () => {
  const draft = saved({ when: hot });
  const more = withOneMore(draft.items);
  expect(more.map((item) => [item.id, isKept(item) ? null : item.key])).toEqual([
    ['c0', 'supply'],
    ['c1', 'supply'],
  ]);
  expect(isSame({ ...draft, items: more }, draft)).toBe(false);
  expect(isSame({ ...draft, items: more.slice(0, 1) }, draft)).toBe(true);
  expect(withOneMoreAct([{ id: 'webhook3', text: 'x' }], 'webhook').map(({ id }) => id)).toEqual([
    'webhook3',
    'webhook4',
  ]);
});

test('the keys of a rule are those of all of its conditions, each once', () => {
  expect(
    keysOf(saved({ when: { any: [hot, { all: [hot, { key: 'door', is: 1 }] }, { silent_s: 1 }] } })),
  ).toEqual(['supply', 'door']);
});
