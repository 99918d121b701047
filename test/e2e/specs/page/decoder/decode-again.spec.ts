import type { Locator, Page } from '@playwright/test';
import { expect, test } from '../../../app.ts';
import { decoderState, makeDecoder, MENDED, sendHex } from '../../../steps/decoder-steps.ts';
import { tabTo } from '../../../steps/keyboard-steps.ts';
import { look } from '../../../look.ts';
import { THREE_SIZES } from '../../../shot.ts';
import { dataPath, expectDone, makeDevice, makeProject, visit, visitDevice } from '../../../steps/steps.ts';
import type { Api } from '../../../api.ts';
import type { MadeDevice } from '../../../steps/steps.ts';

/* The past decoded again by a decoder that was mended. */

/** A device with a payload that its first decoder could not decode, and one that was mended since. */
async function makeMended(api: Api, own: Api): Promise<MadeDevice> {
  const device = await makeDevice(api, await makeProject(api, 'Cold store'), 'Door 3');
  const decoder = await makeDecoder(api, device);
  for (const hex of ['00d72d', '00e1']) await sendHex(own, device, hex);
  const path = `/_local/v1/projects/${device.project_id}/functions/${decoder}`;
  await expectDone(api('PATCH', path, { body: { script: MENDED } }));
  return device;
}

const records = async (api: Api, device: MadeDevice) =>
  (await api('GET', `${dataPath(device)}?page=1&limit=10&range=all`)).data;

/** Opens the dialog of a mended decoder by keyboard, and has it look at all that is stored. */
async function previewIn(page: Page, device: MadeDevice): Promise<Locator> {
  await visitDevice(page, device, 'decoder');
  await page.getByRole('button', { name: 'Decode again…' }).press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Decode “Door 3” again' });
  await dialog.getByRole('button', { name: 'Preview' }).press('Enter');
  return dialog;
}

test('what decoding again would change is seen before anything is changed, of all or of a span', async ({
  page,
  api,
  own,
}) => {
  const device = await makeMended(api, own);
  const before = await records(api, device);
  await visitDevice(page, device, 'decoder');
  await expect(decoderState(page)).toHaveText('Decodes · 1 of 2 payloads with an error');
  const open = page.getByRole('button', { name: 'Decode again…' });
  await tabTo(page, open);
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Decode “Door 3” again' });
  await expect(dialog).toContainText('You can restore this until');
  const preview = dialog.getByRole('button', { name: 'Preview' });
  await expect(preview).toBeFocused();
  await page.keyboard.press('Enter');
  const found = dialog.getByRole('status', { name: 'What would change' });
  await expect(found).toHaveText('2 payloads: 1 would change; 1 error gone.');
  await expect(dialog.getByRole('button', { name: 'Decode 1 record again' })).toBeFocused();
  await look(page, 'decode-again', THREE_SIZES);

  // Another span is looked at anew; what is no time is said.
  await dialog.getByRole('radio', { name: 'All' }).press('ArrowRight');
  await expect(found).toHaveText('');
  await dialog.getByRole('textbox', { name: 'To' }).fill('some day');
  await preview.press('Enter');
  await expect(dialog.getByRole('textbox', { name: 'To' })).toBeFocused();
  await expect(dialog.getByRole('textbox', { name: 'To' })).toHaveAttribute('aria-invalid', 'true');
  await dialog.getByRole('textbox', { name: 'To' }).fill('2020-01-01');
  await preview.press('Enter');
  await expect(found).toHaveText('No payloads are stored here yet.');
  await expect(dialog.getByRole('button', { name: 'Decode 0 records again' })).toBeDisabled();
  // What was typed is dropped by the second one.
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await expect(open).toBeFocused();
  expect(await records(api, device)).toEqual(before);
});

test('a decoder that somebody else saves is looked at anew before it decodes what is stored', async ({
  page,
  api,
  own,
}) => {
  const device = await makeMended(api, own);
  const before = await records(api, device);
  const dialog = await previewIn(page, device);
  await expect(dialog.getByRole('button', { name: 'Decode 1 record again' })).toBeVisible();
  const functions = `/_local/v1/projects/${device.project_id}/functions`;
  const { data } = await expectDone(api('GET', `${functions}?device_id=${device.device_id}`));
  const [decoder] = data as readonly { readonly id: string }[];
  const script = MENDED.replace('/ 10', '/ 100');
  await expectDone(api('PATCH', `${functions}/${decoder?.id}`, { body: { script } }));
  await dialog.getByRole('button', { name: 'Preview' }).press('Enter');
  await expect(dialog.getByRole('button', { name: 'Decode 2 records again' })).toBeVisible();
  expect(await records(api, device)).toEqual(before);
});

test('the past is decoded again as a job, undone, done again, and put back from what was deleted', async ({
  page,
  api,
  own,
}) => {
  const device = await makeMended(api, own);
  const before = await records(api, device);
  const dialog = await previewIn(page, device);
  await dialog.getByRole('button', { name: 'Decode 1 record again' }).press('Enter');
  await expect(dialog).toHaveCount(0);
  await expect(page.getByText('“Door 3” decoded again: 1 record changed')).toBeVisible();
  // What offers to undo it stays while the pointer is on it, however long a busy page takes for what follows.
  await page.getByText('“Door 3” decoded again: 1 record changed').hover();
  await expect(decoderState(page)).toHaveText('Decodes · 2 payloads, none with an error');
  const after = await records(api, device);
  expect(after).toMatchObject([{ 'uplink.bytes': '00e1', temperature: 22.5 }, { temperature: 21.5 }]);
  await page.getByRole('button', { name: 'Jobs: all done' }).press('Enter');
  const row = page.getByRole('dialog', { name: 'Jobs' }).getByRole('listitem', { name: /^Decode again/ });
  await expect(row).toContainText('1 record changed');
  await page.keyboard.press('Escape');

  await page.getByRole('button', { name: /^Undo/ }).press('Enter');
  await expect(decoderState(page)).toHaveText('Decodes · 1 of 2 payloads with an error');
  expect(await records(api, device)).toEqual(before);
  await page.getByRole('button', { name: /^Redo/ }).press('Enter');
  await expect(decoderState(page)).toHaveText('Decodes · 2 payloads, none with an error');
  expect(await records(api, device)).toEqual(after);

  await visit(page, '#/deleted');
  // What was undone and redone is kept once.
  await expect(page.getByText(/^Values as decoded before/)).toHaveCount(1);
  await look(page, 'deleted-decode');
  await page.getByRole('button', { name: 'Restore Door 3' }).press('Enter');
  await expect(page.getByText('“Door 3” restored')).toBeVisible();
  expect(await records(api, device)).toEqual(before);
});
