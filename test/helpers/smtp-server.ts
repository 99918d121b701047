import { createServer, type AddressInfo, type Socket } from 'node:net';

interface SmtpServer {
  readonly port: number;
  /** Lines of commands, and the mails that were taken, as they came. */
  readonly heard: { readonly lines: string[]; readonly mails: string[] };
  close(): void;
}

interface Asked {
  readonly signIn?: { readonly user: string; readonly password: string };
}

/**
 * SMTP server (RFC 5321) without TLS on this machine, which takes no mail for addresses that begin with "no". With `signIn` it takes
 * none from who does not sign in so (RFC 4616).
 */
export async function startSmtp({ signIn }: Asked = {}): Promise<SmtpServer> {
  const heard = { lines: [] as string[], mails: [] as string[] };
  const said = signIn && Buffer.from(`\0${signIn.user}\0${signIn.password}`).toString('base64');
  const server = createServer((socket: Socket) => {
    let isData = false;
    let rest = '';
    let isIn = said === undefined;
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
        if (line.startsWith('EHLO')) say(said === undefined ? '250 test' : '250-test\r\n250 AUTH PLAIN');
        else if (line.startsWith('AUTH')) {
          isIn = line === `AUTH PLAIN ${said}`;
          say(isIn ? '235 in' : '535 no');
        } else if (!isIn && line.startsWith('MAIL')) say('530 who');
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
  const { port } = server.address() as AddressInfo;
  return { port, heard, close: () => void server.close() };
}
