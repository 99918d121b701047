import { createServer, type AddressInfo, type Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { mailOf } from '#core/acts/act-message.ts';
import { sendMail } from '#core/acts/send-mail.ts';
import { anAlarm } from '../../suites/metadata/rows.ts';

const open: { close(): void }[] = [];
afterEach(() => {
  for (const each of open.splice(0)) each.close();
});

/** An SMTP server (RFC 5321) without TLS, that takes no mail for the addresses that begin with "no". */
async function smtp({ auth = false } = {}) {
  const heard = { lines: [] as string[], mails: [] as string[] };
  const server = createServer((socket: Socket) => {
    let isData = false;
    let rest = '';
    const say = (line: string) => socket.write(`${line}\r\n`);
    say('220 test');
    socket.on('data', (chunk) => {
      rest += String(chunk);
      for (let at = rest.indexOf('\r\n'); at >= 0; at = rest.indexOf('\r\n')) {
        const line = rest.slice(0, at);
        rest = rest.slice(at + 2);
        if (isData) {
          if (line === '.') {
            isData = false;
            say('250 taken');
          } else heard.mails[heard.mails.length - 1] += `${line}\n`;
          continue;
        }
        heard.lines.push(line);
        if (line.startsWith('EHLO')) say(auth ? '250-test\r\n250 AUTH PLAIN' : '250 test');
        else if (line.startsWith('AUTH'))
          say(line.endsWith(Buffer.from('\0u\0right').toString('base64')) ? '235 in' : '535 no');
        else if (line === 'STARTTLS') say('502 not implemented');
        else if (line.startsWith('RCPT TO:<no')) say('550 nobody');
        else if (line === 'DATA') {
          isData = true;
          heard.mails.push('');
          say('354 go on');
        } else if (line === 'QUIT') socket.end('221 bye\r\n');
        else say('250 ok');
      }
    });
    socket.on('error', () => undefined);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  open.push({ close: () => void server.close() });
  const { port } = server.address() as AddressInfo;
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

test('it signs in where there is a user, is refused with the wrong password, and never says one', async () => {
  const { heard, settings } = await smtp({ auth: true });
  await sendMail(MAIL, { ...settings, user: 'u', password: 'right' });
  const wrong = sendMail(MAIL, { ...settings, user: 'u', password: 'wrong word' });
  await expect(wrong).rejects.toThrow('user and password');
  await expect(wrong).rejects.not.toThrow('wrong word');
  expect(heard.mails).toHaveLength(1);
});

test('a server without TLS gets no mail where TLS is asked for', async () => {
  const { heard, settings } = await smtp();
  await expect(sendMail(MAIL, { ...settings, security: 'starttls' })).rejects.toThrow();
  expect(heard.mails).toEqual([]);
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
