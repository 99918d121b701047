import { answerMessages } from '../lib/child.ts';
import { uploadBodies, type UploadForm } from '../lib/upload-bodies.ts';

/** What it costs to parse uploads, and nothing else. */
export interface ParseMessage {
  readonly form: UploadForm;
  /** Records an upload. */
  readonly batch: number;
  readonly seconds: number;
}

export interface Parsed {
  readonly perSecond: number;
}

const BODIES = 64;

answerMessages(({ form, batch, seconds }: ParseMessage): Parsed => {
  const next = uploadBodies(form, batch, Date.now());
  // Bytes, as they come from a socket; made beforehand, since that is not what is measured.
  const bodies = Array.from({ length: BODIES }, () => Buffer.from(next()));
  let parsed = 0;
  const began = performance.now();
  for (let n = 0; performance.now() - began < seconds * 1000; n++) {
    const text = bodies[n % BODIES]?.toString() ?? '';
    const records: unknown[] =
      form === 'json'
        ? (JSON.parse(text) as unknown[])
        : text.split('\n').map((line): unknown => JSON.parse(line));
    parsed += records.length;
  }
  return { perSecond: (parsed * 1000) / (performance.now() - began) };
});
