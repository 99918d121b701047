import { expect, test } from '../../app.ts';
import { look } from '../../look.ts';
import { makeDevice, makeProject, store, visitDevice } from '../../steps/steps.ts';

/* What webhooks and mails of a rule need of the settings (docs/functions.md, "Acts"). */

// Settings are of the whole installation.
test.use({ apart: true });

test('a rule with a mail says that no mail server is set, and leads there without losing what is written', async ({
  page,
  api,
  own,
}) => {
  const boiler = await makeDevice(api, await makeProject(api, 'Boiler room'), 'Boiler 1');
  await store(api, boiler, { supply: 80 });
  await visitDevice(page, boiler, 'rules?open=new');
  const form = page.getByRole('region', { name: 'New rule' });
  const lack = form.getByText('No mail goes out yet');
  await expect(form.getByRole('link', { name: 'Service, Settings' })).toHaveCount(0);
  await form.getByRole('button', { name: 'Add a webhook' }).click();
  await expect(form.getByText('A webhook reaches public addresses.')).toBeVisible();
  await expect(lack).toHaveCount(0);
  await form.getByRole('button', { name: 'Add a mail' }).click();
  await form.getByRole('textbox', { name: 'Mail to' }).fill('ada@lab.example');
  await expect(lack).toBeVisible();
  await look(page, 'rule-ways-out');
  await lack.getByRole('link').click();
  await expect(page.getByRole('textbox', { name: 'SMTP server' })).toBeVisible();
  const mail = { host: 'mail.lab.example', port: 25, security: 'none', from: 'a@lab.example', user: '' };
  expect((await own('PATCH', '/_local/v1/settings', { body: { mail } })).status).toBe(200);
  await page.goBack();
  await expect(form.getByRole('textbox', { name: 'Mail to' })).toHaveValue('ada@lab.example');
  await expect(lack).toHaveCount(0);
});
