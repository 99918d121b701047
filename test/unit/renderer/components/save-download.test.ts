import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { DownloadOptions, SavedFile } from '#shared/bridge/bridge.ts';
import { failed, succeeded } from '#shared/schema/envelope.ts';
import type { PostedMessage, WindowMessage } from '#shared/bridge/wire.ts';
import { saveDownload, type SavingPage } from '../../../../renderer/components/work/save-download.ts';

vi.mock('../../../../renderer/bridge/bridge.ts', () => ({}));

/* What a page does with a file that its browser fetches, and what it makes of how that ends. */

const URL_OF_FILE = 'app://fieldbench/files/abc';
const DATA = { records: 3, name: 'Pump_2026-01-05', from: 0 };

/** A page whose service gives what a test says. */
class Page implements SavingPage {
  readonly href = 'app://fieldbench/#/projects';
  readonly posted: WindowMessage[] = [];
  readonly fetched: string[] = [];
  readonly blobs: Blob[] = [];
  readonly asked: unknown[] = [];
  isBack: SavingPage['isBack'] = async () => false;
  readonly #listeners = new Set<(message: PostedMessage) => void>();
  readonly #saved = new Set<(saved: SavedFile) => void>();
  desktop: SavingPage['desktop'] = {
    listenSaved: (listener) => {
      this.#saved.add(listener);
      return () => void this.#saved.delete(listener);
    },
  };
  /** What the service does with each request. */
  give: (
    take: (piece: Uint8Array) => void,
    file: number,
    signal: AbortSignal | undefined,
  ) => Promise<unknown> = async () => DATA;

  readonly port = {
    post: (message: WindowMessage) => void this.posted.push(message),
    listen: (listener: (message: PostedMessage) => void) => {
      this.#listeners.add(listener);
      return () => void this.#listeners.delete(listener);
    },
  };

  readonly bridge = {
    download: (async (
      _id: string,
      input: unknown,
      take: (piece: Uint8Array) => void,
      { into = 0, signal }: DownloadOptions = {},
    ) => {
      this.asked.push(input);
      const data = await this.give(take, into, signal);
      return succeeded('export', 200, 'Exported.', data);
    }) as SavingPage['bridge']['download'],
  };

  fetchAs = (name: string, url: string) => void this.fetched.push(`${name} ${url}`);
  saveFile = async (name: string, content: Blob) => {
    this.blobs.push(content);
    return name;
  };

  hear(message: PostedMessage): void {
    for (const listener of this.#listeners) listener(message);
  }

  came(file: number, bytes: number): void {
    this.hear({ type: 'file', file, path: 'files/abc', bytes });
  }

  say(state: SavedFile['state'], name = 'Pump.csv'): void {
    for (const listener of this.#saved) listener({ url: URL_OF_FILE, state, name });
  }

  get endings(): string[] {
    return this.posted.map(({ type }) => type);
  }
}

let page: Page;
let cancelled: AbortController;
beforeEach(() => {
  page = new Page();
  cancelled = new AbortController();
});

const EXPORT = {
  id: 'records.export',
  input: { project_id: 'p', device_id: 'd' },
  name: 'Pump.csv',
} as const;
const REST = {
  input: (from: number) => ({ ...EXPORT.input, from, state: 's' }),
  isRest: ({ from }: { readonly from: number }) => from > 0,
};
const save = (rest = false, progress?: (bytes: number) => void) =>
  saveDownload(
    { ...EXPORT, ...(rest && { rest: REST }), ...(progress && { progress }) },
    cancelled.signal,
    page,
  );
/** Rejects as the signal fires, as the bridge does. */
const untilCancelled = (signal: AbortSignal | undefined) =>
  new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));

describe('in the desktop app', () => {
  test('the browser fetches it at once, once, and the name that the person chose is told', async () => {
    page.give = async (_take, file) => {
      page.came(file, 5);
      page.came(file, 9);
      return DATA;
    };
    const seen: number[] = [];
    const saving = save(false, (bytes) => void seen.push(bytes));
    await expect.poll(() => page.endings).toEqual(['end-file']);
    page.say('completed', 'other.csv');
    expect(await saving).toEqual({ data: DATA, name: 'other.csv', bytes: 9 });
    expect([page.fetched, seen, page.blobs]).toEqual([[`Pump.csv ${URL_OF_FILE}`], [5, 9], []]);
  });

  test('a person who does not want it ends the work, and nothing is told', async () => {
    page.give = (_take, file, signal) => {
      page.came(file, 5);
      page.say('cancelled', '');
      return untilCancelled(signal);
    };
    expect(await save()).toBeNull();
    expect(page.endings).toEqual(['drop-file']);
  });

  test('a disk that is full says so while it still comes', async () => {
    page.give = (_take, file, signal) => {
      page.came(file, 5);
      page.say('interrupted', '');
      return untilCancelled(signal);
    };
    await expect(save()).rejects.toThrow('Is there room, and may you write to that folder?');
  });

  test('work that is cancelled is dropped, also while its last bytes are written', async () => {
    page.give = (_take, file, signal) => {
      page.came(file, 5);
      return untilCancelled(signal);
    };
    const coming = save();
    cancelled.abort(new Error('It was cancelled.'));
    await expect(coming).rejects.toThrow('It was cancelled.');
    expect(new Set(page.endings)).toEqual(new Set(['drop-file']));

    page = new Page();
    cancelled = new AbortController();
    page.give = async (_take, file) => {
      page.came(file, 5);
      return DATA;
    };
    const written = save();
    await expect.poll(() => page.endings).toEqual(['end-file']);
    cancelled.abort(new Error('It was cancelled.'));
    expect(page.endings).toEqual(['end-file', 'drop-file']);
    page.say('interrupted');
    await expect(written).rejects.toThrow('could not be saved');
  });

  test('what the service refuses is told in its words, and there is no file', async () => {
    page.bridge.download = async () => failed('export', 404, 'Device not found.');
    await expect(save()).rejects.toThrow('Device not found.');
    expect([page.fetched, page.endings]).toEqual([[], ['drop-file']]);
  });

  test('a file that nobody fetches does not wait for ever', async () => {
    page.give = (_take, file, signal) => {
      page.came(file, 5);
      page.hear({ type: 'file-over', file, how: 'not-fetched' });
      return untilCancelled(signal);
    };
    await expect(save()).rejects.toThrow('was not fetched');
  });
});

describe('in a browser', () => {
  beforeEach(() => void (page.desktop = undefined));

  test.each([
    ['whole', { data: DATA, name: 'Pump.csv', bytes: 5 }],
    ['left', 'The browser did not take all of the file'],
  ] as const)('a file that is over, %s, is told as such', async (how, outcome) => {
    page.give = async (_take, file) => {
      page.came(file, 5);
      queueMicrotask(() => page.hear({ type: 'file-over', file, how }));
      return DATA;
    };
    if (typeof outcome === 'string') await expect(save()).rejects.toThrow(outcome);
    else expect(await save()).toEqual(outcome);
  });

  test('what cannot be fetched is gathered and offered whole, also nothing at all', async () => {
    page.give = async (take) => {
      for (let i = 0; i < 5; i++) take(new Uint8Array(7 * 1024 * 1024).fill(i));
      return DATA;
    };
    expect(await save()).toMatchObject({ name: 'Pump.csv', bytes: 35 * 1024 * 1024 });
    const bytes = new Uint8Array((await page.blobs[0]?.arrayBuffer()) ?? []);
    expect([0, 1, 2, 3, 4].map((i) => bytes[i * 7 * 1024 * 1024 + 1])).toEqual([0, 1, 2, 3, 4]);
    page.give = async () => DATA;
    expect(await save()).toMatchObject({ bytes: 0 });
    expect(page.blobs[1]?.size).toBe(0);
  });
});

describe('a connection that is lost in the midst of a file', () => {
  /** Gives 5 bytes and is lost, then the rest. */
  const lostOnce = (data: unknown) => {
    let times = 0;
    page.give = async (_take, file) => {
      page.came(file, times++ === 0 ? 5 : 9);
      if (times === 1) throw new Error('The connection to the service was lost.');
      return data;
    };
  };

  test('and comes back is gone on with where it was', async () => {
    lostOnce({ ...DATA, from: 5 });
    page.isBack = async () => true;
    const saving = save(true);
    await expect.poll(() => page.endings).toEqual(['end-file']);
    page.say('completed');
    expect(await saving).toMatchObject({ bytes: 9 });
    expect(page.asked).toEqual([EXPORT.input, { ...EXPORT.input, from: 5, state: 's' }]);
  });

  test('ends it where the records are others by then, where it stays away, and where there is no rest', async () => {
    lostOnce({ ...DATA, from: 0 });
    let backs = 0;
    page.isBack = async () => backs++ === 0;
    await expect(save(true)).rejects.toThrow('records that are others by now');
    lostOnce(DATA);
    page.isBack = async () => false;
    await expect(save(true)).rejects.toThrow('The connection to the service was lost.');
    lostOnce(DATA);
    page.isBack = async () => true;
    await expect(save()).rejects.toThrow('The connection to the service was lost.');
    // In a browser the way to the file was over the same connection.
    lostOnce(DATA);
    page.desktop = undefined;
    await expect(save(true)).rejects.toThrow('The connection to the service was lost.');
    expect(page.endings).toEqual(['drop-file', 'drop-file', 'drop-file', 'drop-file']);
  });
});
