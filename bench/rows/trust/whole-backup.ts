import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Started } from '../../children/service.ts';
import { grownBy } from '../../lib/child-memory.ts';
import { sampleOf, timed } from '../../lib/measure.ts';
import { startChild } from '../../lib/process.ts';
import { short, type Figure, type Row } from '../../lib/row.ts';

const MB = 1 << 20;

/** A backup of everything to a file, and its restore elsewhere: once, whole, and held to the export of what it is of. */
export const wholeBackup: Row = {
  name: 'whole-backup',
  title: 'A backup of everything as a file, its restore, and the export of both',
  async run(bench): Promise<Figure[]> {
    const { directory, project, device } = await bench.filled(bench.records);
    const file = join(await bench.madeFolder(), 'backup.tar');
    const records = `/_local/v1/projects/${project}/devices/${device}/records?format=ndjson`;
    const backup = await withService(directory, async (service) => {
      const measured = await service.measured(async () => {
        const { body } = await service.ask('/_local/v1/backup');
        await pipeline(Readable.fromWeb(body), createWriteStream(file));
      });
      return { ...measured, exported: await digestOf(await service.ask(records)) };
    });
    const { size } = await stat(file);
    const restore = await withService(await bench.madeFolder(), async (service) => {
      const measured = await service.measured(async () => {
        const answer = await service.ask('/_local/v1/restore', {
          method: 'POST',
          headers: { 'content-type': 'application/x-tar' },
          body: Readable.toWeb(createReadStream(file)) as ReadableStream,
          duplex: 'half',
        });
        await answer.text();
      });
      return { ...measured, exported: await digestOf(await service.ask(records)) };
    });
    if (restore.exported !== backup.exported)
      throw new Error('The export of what was restored is other than that of what was backed up.');
    const of = `${short(bench.records)} records`;
    const once = (figure: string, value: number, unit: string): Figure => ({
      figure,
      measured: sampleOf([value]),
      unit,
    });
    return [
      once(`backup of ${of} to a file`, backup.ms, 'ms'),
      once('its size', size / MB, 'MB'),
      once('memory of the service meanwhile, over what it had', backup.grown, 'MB'),
      once('its restore into an empty service, whose export is the same', restore.ms, 'ms'),
      once('memory of that service meanwhile, over what it had', restore.grown, 'MB'),
    ];
  },
};

type Asking = Omit<RequestInit, 'headers'> & {
  readonly headers?: Readonly<Record<string, string>>;
  readonly duplex?: 'half';
};

interface Asked {
  ask(path: string, init?: Asking): Promise<Answer>;
  /** Does something, and says how long it took and what memory. */
  measured(work: () => Promise<void>): Promise<{ readonly ms: number; readonly grown: number }>;
}
type Answer = Response & { readonly body: NonNullable<Response['body']> };

async function withService<T>(directory: string, work: (service: Asked) => Promise<T>): Promise<T> {
  const child = startChild('service');
  try {
    const { url, key } = await child.ask<Started>({ start: { directory } });
    return await work({
      async ask(path, init = {}) {
        const headers = { ...init.headers, authorization: `Bearer ${key}` };
        const response = await fetch(`${url}${path}`, { ...init, headers });
        if (!response.ok || response.body === null) throw new Error(await response.text());
        return response as Answer;
      },
      async measured(doing) {
        const { result: ms, grown } = await grownBy(child, () => timed(doing));
        return { ms, grown };
      },
    });
  } finally {
    await child.stop();
  }
}

async function digestOf({ body }: Answer): Promise<string> {
  const hash = createHash('sha256');
  for await (const piece of body) hash.update(piece);
  return hash.digest('hex');
}
