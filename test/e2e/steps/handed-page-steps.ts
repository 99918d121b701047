import type { Page } from '@playwright/test';
import type { DeviceDraft, Row } from '../../helpers/handed-content.ts';

/* What is done to a page that was handed over, and a device for it. */

export const chartOf = (page: Page) => page.getByRole('application');
export const START = Date.UTC(2026, 10, 18) * 1000;
/** As uneven as chance, and the same each time. */
export const noise = (at: number) => Math.abs(Math.sin(at * 12.9898) * 43_758.5453) % 1;

/** What the read-out says of a key, as a number. */
export async function numberOf(page: Page, key: string): Promise<number> {
  const text = await page.locator(`[data-key="${key}"] .value`).innerText();
  return Number(text.replaceAll(',', '').replace('−', '-').replace(/\s.*$/, ''));
}

/** The instant of the read-out in µs, of a page whose times are UTC, and what it says of each key; all of one moment. */
export async function readOut(
  page: Page,
): Promise<{ readonly time: number; readonly values: Readonly<Record<string, number>> }> {
  const { when, told } = await page.locator('.read-out').evaluate((element) => ({
    when: element.querySelector('strong')?.textContent ?? '',
    told: [...element.querySelectorAll('li')].map((one) => [
      one.dataset['key'] ?? '',
      one.querySelector('.value')?.textContent ?? '',
    ]),
  }));
  const [, whole = '', fraction = ''] = /^([^.]*)(?:\.(\d+))?$/.exec(when) ?? [];
  const time = Date.parse(`${whole.replace(' ', 'T')}Z`) * 1000 + Number(fraction.padEnd(6, '0'));
  const values = told.map(
    ([key, text = '']) => [key, Number(text.replaceAll(',', '').replace('−', '-'))] as const,
  );
  return { time, values: Object.fromEntries(values) };
}

/** A device with a correction, notes and many excursions. */
export const corrected: DeviceDraft = (() => {
  const id = '00000000-0000-4000-8000-000000000001';
  const time = (seconds: number) =>
    new Date(START / 1000 + seconds * 1000).toISOString().replace('Z', '000Z');
  const rows = Array.from({ length: 3_000 }, (_, at): Row => [
    START + at * 10_000_000,
    { temperature: Math.round(noise(at) * 100) / 10, door: Math.floor(at / 400) % 2 === 0 },
  ]);
  const made = { created: time(0), changed: time(0), by: 'Jane', version: 1, id, device_id: id };
  const note = {
    id,
    device_id: id,
    start: time(600),
    end: time(900),
    text: 'Door left open',
    author: 'Jane',
    created_at: time(0),
  };
  return {
    rows,
    corrected: rows.map(([at, values]): Row => [
      at,
      { ...values, temperature: Number(values['temperature']) + 100 },
    ]),
    facts: { name: 'Cold room', brand: 'Acme', tags: ['roof'] },
    notes: [note],
    // Its clock was ten minutes ahead.
    correctedNotes: [{ ...note, start: time(0), end: time(300) }],
    corrections: [
      {
        ...made,
        kind: 'calibration',
        key: 'temperature',
        points: [[0, 100]],
        certificate: 'DKD-1183',
        reason: 'yearly',
      },
    ],
    history: [
      {
        correction_id: id,
        kind: 'calibration',
        version: 2,
        act: 'changed',
        at: time(1),
        by: 'Jane',
        reason: 'yearly',
        before: { key: 'temperature', points: [[0, 90]], reason: 'a guess' },
        after: { key: 'temperature', points: [[0, 100]], reason: 'yearly' },
      },
      {
        correction_id: id.replace(/1$/, '2'),
        kind: 'quality',
        version: 2,
        act: 'removed',
        at: time(0),
        by: '<b>Joe</b>',
        before: { keys: null, from: time(0), to: time(60), quality: 'fail', reason: 'door open' },
        after: null,
      },
    ],
    excursions: [
      {
        key: 'temperature',
        start: time(0),
        end: time(30_000),
        low: 0,
        high: 9,
        longest_gap_us: null,
        inside_us: 2e10,
        outside_us: 1e10,
        not_measured_us: 0,
        excursion_count: 300,
        excursions: Array.from({ length: 300 }, (_, at) => ({
          start: time(at * 100),
          end: time(at * 100 + 10),
          worst: 9.9,
          at: time(at * 100),
          side: 'above' as const,
        })),
        not_measured_count: 0,
        not_measured: [],
        runs: null,
      },
    ],
  };
})();
