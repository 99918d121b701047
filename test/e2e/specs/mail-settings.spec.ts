import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { openSmtpServer } from '../../helpers/acts/smtp-server.ts';
import { expect, inFolder, test } from '../app.ts';
import { look } from '../look.ts';
import { tabTo } from '../steps/keyboard-steps.ts';
import { visit } from '../steps/steps.ts';

/* The mail server of rules, as an administrator sets and tries it (docs/technician.md, "Rules and alarms"). */

test.use({ vault: 'file' });

const PASSWORD = 'seven green herons';

const field = (page: Page, name: string) => page.getByLabel(name, { exact: true });

/** Goes there with Tab and writes in place of what stands there. */
async function write(page: Page, name: string, text: string, key?: 'Shift+Tab'): Promise<void> {
  await tabTo(page, field(page, name), key);
  await page.keyboard.press('Control+A');
  await page.keyboard.type(text);
}

test('a mail server is set by keyboard, what is wrong is said at its field, and a test mail arrives', async ({
  page,
  own,
  dataDirectory,
}) => {
  const server = await openSmtpServer({ auth: { user: 'fieldbench', password: PASSWORD } });
  try {
    await visit(page, '#/service/settings');
    await expect(page.getByRole('button', { name: 'Apply: Mails of rules', exact: true })).toBeDisabled();
    await expect(page.getByRole('button', { name: 'Send', exact: true })).toHaveCount(0);
    await field(page, 'Names and networks that they may reach').focus();
    await write(page, 'Port', '70000');
    // What is wrong with it would stand below the window.
    await field(page, 'Port').evaluate((port) => port.scrollIntoView({ block: 'end' }));
    await page.keyboard.press('Enter');
    await expect(field(page, 'Port')).toHaveAccessibleDescription(
      'must be a whole number from 1 to 65535, got 70000',
    );
    await expect(page.getByText('must be a whole number from 1 to 65535, got 70000')).toBeInViewport({
      ratio: 1,
    });
    await look(page, 'settings-mail-wrong');
    await write(page, 'Port', String(server.port));
    await page.keyboard.press('Enter');
    const host = field(page, 'SMTP server');
    await expect(host).toBeFocused();
    await expect(host).toHaveAccessibleDescription(/^must be text of 1 to 253 characters/);
    await page.keyboard.type('127.0.0.1');
    await write(page, 'From', 'alarms');
    await page.keyboard.press('Enter');
    await expect(field(page, 'From')).toHaveAccessibleDescription(/^must be an e-mail address/);
    await page.keyboard.press('Control+A');
    await page.keyboard.type('alarms@lab.example');
    const security = page.getByRole('combobox', { name: 'Security' });
    await tabTo(page, security, 'Shift+Tab');
    await page.keyboard.type('None');
    await expect(security).toHaveValue('none');
    // A port that is none of the usual ones stays.
    await expect(field(page, 'Port')).toHaveValue(String(server.port));
    await write(page, 'User', 'fieldbench');
    await write(page, 'Password', PASSWORD);
    await page.keyboard.press('Enter');

    const to = field(page, 'Try it: send a mail to');
    await tabTo(page, to);
    await page.keyboard.type('ada');
    await page.keyboard.press('Enter');
    await expect(to).toHaveAccessibleDescription(/^must be an e-mail address/);
    await write(page, 'Try it: send a mail to', 'nobody@lab.example');
    await page.keyboard.press('Enter');
    const main = page.getByRole('main');
    await expect(main.getByRole('alert')).toContainText('The mail server did not take it');
    await look(page, 'settings-mail-refused');
    await write(page, 'Try it: send a mail to', 'ada@lab.example');
    await page.keyboard.press('Enter');
    await expect(main.getByText('The server took a mail to ada@lab.example.')).toBeVisible();
    await expect(main.getByRole('alert')).toHaveCount(0);
    await look(page, 'settings-mail-sent');
    expect(server.heard.mails).toHaveLength(1);
    expect(server.heard.mails[0]).toContain('From: Fieldbench <alarms@lab.example>');
    expect(server.heard.mails[0]).toContain('Subject: Test mail of Fieldbench');

    // The password is used, and told to nobody.
    await page.reload();
    const password = field(page, 'Password');
    await expect(password).toHaveAttribute('placeholder', 'kept');
    await expect(password).toHaveValue('');
    const settings = await own('GET', '/_local/v1/settings');
    expect(settings.data).toMatchObject({
      mail: { host: '127.0.0.1', port: server.port, user: 'fieldbench', has_password: true },
    });
    expect(settings.text).not.toContain(PASSWORD);
    await expect(page.locator('body')).not.toContainText(PASSWORD);
    if (inFolder) expect(await filesWith(dataDirectory, 'alarms@lab.example')).not.toEqual([]);
    expect(await filesWith(dataDirectory, PASSWORD)).toEqual([]);

    // It is of that server, port and user alone.
    await field(page, 'SMTP server').focus();
    await write(page, 'User', 'other');
    await expect(password).toHaveAccessibleDescription('The one that is kept goes: write it again.');
    await page.keyboard.press('Enter');
    await expect(password).toHaveAttribute('placeholder', 'none');
    await expect
      .poll(async () => (await own('GET', '/_local/v1/settings')).data)
      .toMatchObject({
        mail: { user: 'other', has_password: false },
      });
    await write(page, 'Try it: send a mail to', 'ada@lab.example');
    await page.keyboard.press('Enter');
    await expect(main.getByRole('alert')).toContainText('does not take the user and password');
  } finally {
    await server.close();
  }
});

test('a mail server that does not answer is said, and no mails are sent any more', async ({ page, own }) => {
  const server = await openSmtpServer();
  const mail = { host: '127.0.0.1', port: server.port, security: 'none', from: 'a@lab.example', user: '' };
  await server.close();
  expect((await own('PATCH', '/_local/v1/settings', { body: { mail } })).status).toBe(200);
  await visit(page, '#/service/settings');
  const to = field(page, 'Try it: send a mail to');
  await to.fill('ada@lab.example');
  await to.press('Enter');
  await expect(page.getByRole('main').getByRole('alert')).toContainText('The mail server did not take it');
  await page.getByRole('button', { name: 'Send no mails' }).click();
  await expect(to).toHaveCount(0);
  await expect(field(page, 'SMTP server')).toHaveValue('');
  expect((await own('GET', '/_local/v1/settings')).data).toMatchObject({ mail: null });
});

test('addresses that webhooks may reach are set by keyboard, and what is dropped leaves no word', async ({
  page,
  own,
}) => {
  await visit(page, '#/service/settings');
  await field(page, 'Days for which it can be had back').focus();
  const hosts = field(page, 'Names and networks that they may reach');
  await tabTo(page, hosts);
  await page.keyboard.type('hooks.lab.example https://hooks.lab.example');
  const apply = page.getByRole('button', { name: 'Apply: Webhooks of rules', exact: true });
  await tabTo(page, apply);
  await page.keyboard.press('Enter');
  await expect(hosts).toBeFocused();
  const refused = /must be a name such as "hooks\.example".*got "https:\/\/hooks\.lab\.example"/;
  await expect(hosts).toHaveAccessibleDescription(refused);
  await expect(hosts).toHaveValue('hooks.lab.example https://hooks.lab.example');
  await look(page, 'settings-webhooks-wrong');
  await tabTo(page, page.getByRole('button', { name: 'Leave them as they are: Webhooks of rules' }));
  await page.keyboard.press('Enter');
  await expect(hosts).toBeFocused();
  await expect(hosts).toHaveValue('');
  await expect(hosts).not.toHaveAccessibleDescription(/must be/);
  await page.keyboard.type('hooks.lab.example, 10.0.0.0/8');
  await tabTo(page, apply);
  await page.keyboard.press('Space');
  await expect(hosts).toHaveValue('hooks.lab.example\n10.0.0.0/8');
  await expect(apply).toBeFocused();
  await expect(apply).toBeDisabled();
  expect((await own('GET', '/_local/v1/settings')).data).toMatchObject({
    webhook_hosts: ['hooks.lab.example', '10.0.0.0/8'],
  });
});

/** Files below a folder that hold a text. */
async function filesWith(folder: string, text: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
  const found = await Promise.all(
    files.map(async (file) => ((await readFile(file)).includes(text) ? [file] : [])),
  );
  return found.flat();
}
