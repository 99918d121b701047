import { EventEmitter } from 'node:events';
import type { WebContents } from 'electron';
import { expect, test } from 'vitest';
import { settled } from './fakes.ts';
import { SAVED_CHANNEL } from '../../../electron/shell/page/channel.ts';
import { tellOfDownloads } from '../../../electron/shell/page/downloads.ts';

function download(path: string, isDestroyed = false) {
  const session = new EventEmitter();
  const sent: unknown[][] = [];
  const contents = {
    isDestroyed: () => isDestroyed,
    send: (...message: unknown[]) => void sent.push(message),
  } as unknown as WebContents;
  const item = Object.assign(new EventEmitter(), {
    getURL: () => 'blob:1',
    getSavePath: () => path,
    getFilename: () => 'suggested.csv',
    cancelled: false,
    cancel(): void {
      item.cancelled = true;
      item.emit('done', {}, 'cancelled');
    },
  });
  tellOfDownloads(session);
  session.emit('will-download', {}, item, contents);
  return { item, sent };
}

test.each([
  ['completed', '/home/a/other name.csv', 'other name.csv'],
  // A program that debugs the app took it: nobody was asked.
  ['completed', '', 'suggested.csv'],
  ['cancelled', '', 'suggested.csv'],
  ['interrupted', '/full/disk.csv', 'disk.csv'],
])('the page hears that its file was %s, once that is so, and under which name', (state, path, name) => {
  const { item, sent } = download(path);
  expect(sent).toEqual([]);
  item.emit('done', {}, state);
  expect(sent).toEqual([[SAVED_CHANNEL, { url: 'blob:1', state, name }]]);
});

test('a file that could be resumed, as on a full disk, has ended, is told once, and leaves nothing behind', async () => {
  const { item, sent } = download('/full/disk.csv');
  item.emit('updated', {}, 'progressing');
  expect(sent).toEqual([]);
  item.emit('updated', {}, 'interrupted');
  await settled();
  expect(item.cancelled).toBe(true);
  expect(sent).toEqual([[SAVED_CHANNEL, { url: 'blob:1', state: 'interrupted', name: 'disk.csv' }]]);
});

test('a window that is gone is told nothing', () => {
  const { item, sent } = download('/a.csv', true);
  item.emit('done', {}, 'completed');
  expect(sent).toEqual([]);
});
