import { afterEach, describe, expect, test } from 'vitest';
import { mailOf } from '#core/acts/act-message.ts';
import { sendMail } from '#core/acts/send-mail.ts';
import { createAuthority, issueServer } from '#core/tls/make-certificates.ts';
import { openSmtpServer, type SmtpServer } from '../../helpers/acts/smtp-server.ts';
import { anAlarm } from '../../suites/metadata/rows.ts';

const ALLOWED = { user: 'u', password: 'right' };
const open: SmtpServer[] = [];
afterEach(async () => {
  for (const each of open.splice(0)) await each.close();
});

async function smtp(options: Parameters<typeof openSmtpServer>[0] = {}) {
  const server = await openSmtpServer(options);
  open.push(server);
  const { heard, port } = server;
  const settings = {
    host: '127.0.0.1',
    port,
    security: 'none',
    from: 'alarms@lab.example',
    user: '',
    password: null,
  } as const;
  return { heard, settings };
}

const MAIL = {
  to: ['a@b.example', 'c@d.example'],
  subject: 'Alarm: Hot',
  text: 'Rule: Hot\n',
  key: 'x/0/raised',
};

test('one mail goes to all, with an id that is the same in each try', async () => {
  const { heard, settings } = await smtp();
  expect(await sendMail(MAIL, settings)).toBeNull();
  await sendMail(MAIL, settings);
  expect(heard.lines.filter((line) => /^(MAIL|RCPT)/.test(line)).slice(0, 3)).toEqual([
    'MAIL FROM:<alarms@lab.example>',
    'RCPT TO:<a@b.example>',
    'RCPT TO:<c@d.example>',
  ]);
  const ids = heard.mails.map((mail) => /^Message-ID: (.*)$/m.exec(mail)?.[1]);
  expect(ids).toEqual(['<x.0.raised@fieldbench.invalid>', '<x.0.raised@fieldbench.invalid>']);
  expect(heard.mails[0]).toContain('Rule: Hot');
});

test('whom it is not taken for is said; for nobody, it was not sent', async () => {
  const { heard, settings } = await smtp();
  expect(await sendMail({ ...MAIL, to: ['a@b.example', 'nobody@d.example'] }, settings)).toContain(
    'nobody@d.example',
  );
  await expect(sendMail({ ...MAIL, to: ['nobody@d.example'] }, settings)).rejects.toThrow('did not take it');
  expect(heard.mails).toHaveLength(1);
});

test('one that nobody listens for, or whose name is not known, is said in words', async () => {
  const { settings } = await smtp();
  await open.pop()?.close();
  await expect(sendMail(MAIL, settings)).rejects.toThrow('Nothing takes connections there.');
  const unknown = sendMail(MAIL, { ...settings, host: 'mail.invalid' });
  await expect(unknown).rejects.toThrow(
    /^The mail server did not take it: (Its name is not known|Nobody answers)/,
  );
});

test('it signs in where there is a user, is refused with the wrong password, and never says one', async () => {
  const { heard, settings } = await smtp({ auth: ALLOWED });
  await sendMail(MAIL, { ...settings, user: 'u', password: 'right' });
  const wrong = sendMail(MAIL, { ...settings, user: 'u', password: 'wrong word' });
  await expect(wrong).rejects.toThrow('user and password');
  await expect(wrong).rejects.not.toThrow('wrong word');
  expect(heard.mails).toHaveLength(1);
});

test('a server that offers no TLS gets neither mail nor password where TLS is asked for', async () => {
  const { heard, settings } = await smtp({ auth: ALLOWED });
  const asked = { ...settings, user: 'u', password: 'right' };
  await expect(sendMail(MAIL, { ...asked, security: 'starttls' })).rejects.toThrow('does not offer STARTTLS');
  await expect(sendMail(MAIL, { ...asked, security: 'tls' })).rejects.toThrow('did not take it');
  expect(heard.mails).toEqual([]);
  expect(heard.lines.filter((line) => /^(AUTH|MAIL|RCPT|DATA)/.test(line))).toEqual([]);
});

const NAMES = { dns: ['localhost', 'mail.lan'], ips: ['127.0.0.1'] };
const authority = createAuthority(NAMES, Date.now());
const pairOf = (names: typeof NAMES) => issueServer(authority, names, Date.now());

describe.each(['tls', 'starttls'] as const)('by %s', (security) => {
  const secured = async (names = NAMES) => {
    const { heard, settings } = await smtp({ auth: ALLOWED, tls: { pair: pairOf(names), by: security } });
    return { heard, settings: { ...settings, security, user: 'u', password: 'right' } };
  };
  const saidNothing = (heard: SmtpServer['heard']) =>
    expect(heard.lines.filter((line) => /^(AUTH|MAIL|RCPT|DATA)/.test(line))).toEqual([]);

  test('a mail goes to a server whose authority is trusted, and no password goes as plain text', async () => {
    const { heard, settings } = await secured();
    expect(await sendMail(MAIL, settings, { ca: [authority.cert] })).toBeNull();
    expect(heard.mails).toHaveLength(1);
    expect(heard.lines.some((line) => line.startsWith('AUTH'))).toBe(true);
    expect(heard.plain.filter((line) => /^(AUTH|MAIL|RCPT|DATA)/.test(line))).toEqual([]);
  });

  test('one of an authority that is not trusted is told nothing, and the words say what to do', async () => {
    const { heard, settings } = await secured();
    await expect(sendMail(MAIL, settings)).rejects.toThrow('NODE_EXTRA_CA_CERTS');
    saidNothing(heard);
  });

  test('one that is certified for another name is told nothing', async () => {
    const { heard, settings } = await secured({ dns: ['mail.lan'], ips: [] });
    await expect(sendMail(MAIL, settings, { ca: [authority.cert] })).rejects.toThrow('for another name');
    saidNothing(heard);
  });
});

test('no name can make a header of its own', async () => {
  const { heard, settings } = await smtp();
  const name = 'Hot\r\nBcc: evil@x.example\r\n\r\nbody\u2028\u0000';
  const of = { project_id: 'p', device_id: 'd', function_id: 'f' };
  const device = { id: 'd', name: 'Pump\nX-Evil: 1' };
  const told = {
    key: 'k/0/raised',
    event: 'raised',
    alarm: { ...anAlarm('k', of), name, sequence: 1 },
    device,
    project: { id: 'p', name: 'P' },
    values: null,
  } as const;
  const { subject, text } = mailOf(told);
  expect(subject).toBe('Alarm: Hot Bcc: evil@x.example body (Pump X-Evil: 1)');
  await sendMail(
    { to: ['a@b.example'], key: told.key, subject: 'Hot\r\nBcc: evil@x.example', text },
    settings,
  );
  const [head = ''] = (heard.mails[0] ?? '').split('\n\n');
  expect(head.split('\n').filter((line) => /^(bcc|x-evil)/i.test(line))).toEqual([]);
  expect(heard.lines.filter((line) => line.startsWith('RCPT'))).toEqual(['RCPT TO:<a@b.example>']);
});
