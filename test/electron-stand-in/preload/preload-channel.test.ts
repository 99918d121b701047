import { EventEmitter } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import type { Session } from '../chromium.ts';
import { ISOLATED_WORLD } from './page-scripts.ts';
import { PreloadChannel } from './preload-channel.ts';

const FRAME = 'frame';
const PRELOAD = fileURLToPath(new URL('../fixture/preload.cjs', import.meta.url));

/** A page with one document, to which no message can be delivered. */
async function openOver(failure: string) {
  const events = new EventEmitter();
  const send = (method: string) =>
    method === 'Runtime.callFunctionOn'
      ? Promise.reject(new Error(`${method}: ${failure}`))
      : Promise.resolve({});
  const channel = new PreloadChannel(() => {});
  await channel.open(Object.assign(events, { send }) as unknown as Session, FRAME, PRELOAD);
  const context = { id: 1, name: ISOLATED_WORLD, auxData: { frameId: FRAME } };
  events.emit('Runtime.executionContextCreated', { context });
  return channel;
}

function rejections(): unknown[] {
  const seen: unknown[] = [];
  const others = process.listeners('unhandledRejection');
  process.removeAllListeners('unhandledRejection');
  process.on('unhandledRejection', (error) => void seen.push(error));
  onTestFinished(() => {
    process.removeAllListeners('unhandledRejection');
    for (const listener of others) process.on('unhandledRejection', listener);
  });
  return seen;
}

const settled = () => new Promise((resolve) => setTimeout(resolve, 10));

test.each(['Inspected target navigated or closed', 'Cannot find context with specified id'])(
  'a message to a page that navigates before it says so is lost, as in Electron: %s',
  async (failure) => {
    const seen = rejections();
    const channel = await openOver(failure);
    channel.send({ channel: 'news', args: [] });
    await settled();
    expect(seen).toEqual([]);
  },
);

test('a message that fails for any other reason ends the stand-in', async () => {
  const seen = rejections();
  const channel = await openOver('Invalid parameters');
  channel.send({ channel: 'news', args: [] });
  await settled();
  expect(seen.map(String)).toEqual(['Error: Runtime.callFunctionOn: Invalid parameters']);
});
