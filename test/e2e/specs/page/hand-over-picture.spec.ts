import { readFile } from 'node:fs/promises';
import { expect, test } from '../../app.ts';
import { openMore } from '../../steps/chart-steps.ts';
import { expectChart, makeDevice, makeProject, store, visitDevice } from '../../steps/steps.ts';

/* A chart as a file to hand over, in two clicks. */

const START = Date.UTC(2026, 0, 5, 8);
const HOSTILE = '<b>"Ofen" & \u202eRTL</b>';

test('a picture is saved with two clicks: title, span, legend and the line itself', async ({ page, api }) => {
  const device = await makeDevice(api, await makeProject(api, 'Hall'), HOSTILE);
  await store(
    api,
    device,
    Array.from({ length: 300 }, (_, minute) => ({
      timestamp: new Date(START + minute * 60_000).toISOString(),
      temperature: minute === 150 ? 999 : 20 + (minute % 10),
      valve: minute < 120 ? 'open' : 'closed',
    })),
  );
  const note = { start: new Date(START + 60 * 60_000).toISOString(), text: 'Pump off <for> cleaning' };
  await api('POST', `/_local/v1/projects/${device.project_id}/devices/${device.device_id}/notes`, {
    body: note,
  });
  await visitDevice(page, device);
  await expectChart(page, 300);
  await expect(page.locator('[data-figure="min"]').first()).toHaveText('20');

  const save = async (item: string) => {
    const coming = page.waitForEvent('download');
    await openMore(page, item);
    const download = await coming;
    return { name: download.suggestedFilename(), bytes: await readFile(await download.path()) };
  };

  const svg = await save('Save as SVG');
  expect(svg.name).toMatch(/2026-01-05\.svg$/);
  const seen = await page.evaluate((text) => {
    const parsed = new DOMParser().parseFromString(text, 'image/svg+xml');
    const path = parsed.querySelector('path[stroke-linejoin]')?.getAttribute('d') ?? '';
    return {
      problem: parsed.querySelector('parsererror')?.textContent ?? null,
      elements: [...new Set([...parsed.querySelectorAll('*')].map(({ localName }) => localName))],
      text: parsed.documentElement.textContent,
      points: path.split(/[ML]/).length - 1,
    };
  }, svg.bytes.toString());
  expect(seen.problem).toBeNull();
  expect(seen.elements).not.toContain('b');
  for (const words of [
    HOSTILE,
    'temperature',
    '2026-01-05',
    'mean',
    '300',
    'valve',
    'closed',
    'Pump off <for> cleaning',
  ])
    expect(seen.text).toContain(words);
  expect(seen.points).toBeGreaterThanOrEqual(300);

  const png = await save('Save as PNG');
  expect(png.name).toMatch(/2026-01-05\.png$/);
  const painted = await page.evaluate(async (base64) => {
    const image = new Image();
    image.src = `data:image/png;base64,${base64}`;
    await image.decode();
    const canvas = document.createElement('canvas');
    Object.assign(canvas, { width: image.width, height: image.height });
    const context = canvas.getContext('2d');
    context?.drawImage(image, 0, 0);
    const { data } = context?.getImageData(0, 0, image.width, image.height) ?? { data: [] };
    let ink = 0;
    for (let at = 0; at < data.length; at += 4) if ((data[at] ?? 255) < 60 && (data[at + 2] ?? 0) > 80) ink++;
    return { width: image.width, ink, corner: Array.from(data.slice(0, 4)) };
  }, png.bytes.toString('base64'));
  // Twice as many pixels as the SVG has; on white; with a line of the palette's first colour.
  expect(painted.width).toBe(2400);
  expect(painted.corner).toEqual([255, 255, 255, 255]);
  expect(painted.ink).toBeGreaterThan(500);
});

test('a picture is copied, to be pasted elsewhere', async ({ page, api, host }) => {
  test.skip(host !== 'console', 'other hosts may not read what was copied');
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  const device = await makeDevice(api, await makeProject(api, 'Hall'), 'Oven');
  await store(api, device, [
    { timestamp: new Date(START).toISOString(), temperature: 20 },
    { timestamp: new Date(START + 60_000).toISOString(), temperature: 21 },
  ]);
  await visitDevice(page, device);
  await expectChart(page, 2);
  await openMore(page, 'Copy picture');
  await expect(page.getByText('Picture copied')).toBeVisible();
  const copied = await page.evaluate(async () => {
    const [item] = await navigator.clipboard.read();
    const image = await createImageBitmap((await item?.getType('image/png')) ?? new Blob());
    return image.width;
  });
  expect(copied).toBe(2400);
});
