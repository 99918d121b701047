import { expect, test } from 'vitest';
import { entriesText, readEntries, type Entry } from '#core/vault/secret-map.ts';

test('changes of secrets come back as they were written', () => {
  const changes: Entry[] = [{ name: 'a', secret: 's' }, { name: 'b', secret: null }, { prefix: 'c/' }];
  expect(readEntries(entriesText(changes))).toEqual(changes);
});

test.each([
  '{}',
  '[1]',
  '[null]',
  '[{"name":"a"}]',
  '[{"name":1,"secret":"s"}]',
  '[{"name":"a","secret":1}]',
  '[{"name":"a","secret":"s","more":1}]',
  '[{"prefix":1}]',
  '[{"prefix":"p","more":1}]',
  '[{"prefix":"p","name":"a","secret":"s"}]',
])('%s holds no changes of secrets', (text) => {
  expect(() => readEntries(text)).toThrow('A frame of the vault holds no changes of secrets.');
});
