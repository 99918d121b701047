import { createServer, type AddressInfo, type Socket } from 'node:net';
import { createServer as createTlsServer, TLSSocket } from 'node:tls';
import type { KeyPair } from '#core/tls/certificates.ts';

interface SmtpOptions {
  /** Who may send, signed in by PLAIN (RFC 4616); absent: anybody. */
  readonly auth?: { readonly user: string; readonly password: string };
  /** Certificate, from the first byte on or by STARTTLS; absent: plain text alone. */
  readonly tls?: { readonly pair: KeyPair; readonly by: 'tls' | 'starttls' };
}

export interface SmtpServer {
  readonly heard: {
    /** Commands, and those of them that came as plain text. */
    readonly lines: string[];
    readonly plain: string[];
    readonly mails: string[];
  };
  readonly port: number;
  close(): Promise<void>;
}

/** An SMTP server (RFC 5321, RFC 3207) on loopback that takes no mail for addresses that begin with "no". */
export async function openSmtpServer({ auth, tls }: SmtpOptions = {}): Promise<SmtpServer> {
  const heard = { lines: [] as string[], plain: [] as string[], mails: [] as string[] };
  const signIn = auth && `AUTH PLAIN ${Buffer.from(`\0${auth.user}\0${auth.password}`).toString('base64')}`;
  const sockets = new Set<Socket>();
  const greet = (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
    socket.write('220 test\r\n');
    serve(socket);
  };
  function serve(socket: Socket): void {
    const isPlain = !(socket instanceof TLSSocket);
    let isData = false;
    let isIn = signIn === undefined;
    let rest = '';
    const say = (line: string) => void socket.write(`${line}\r\n`);
    const data = (chunk: Buffer) => {
      rest += String(chunk);
      for (let at = rest.indexOf('\r\n'); at >= 0; at = rest.indexOf('\r\n')) {
        const line = rest.slice(0, at);
        rest = rest.slice(at + 2);
        if (!isData) take(line);
        else if (line === '.') {
          isData = false;
          say('250 taken');
        } else heard.mails[heard.mails.length - 1] += `${line}\n`;
      }
    };
    const take = (line: string) => {
      heard.lines.push(line);
      if (isPlain) heard.plain.push(line);
      if (line.startsWith('EHLO')) {
        const offers = [
          ...(auth === undefined ? [] : ['AUTH PLAIN']),
          ...(isPlain && tls?.by === 'starttls' ? ['STARTTLS'] : []),
        ];
        const said = ['test', ...offers];
        for (const [place, each] of said.entries()) say(`250${place < said.length - 1 ? '-' : ' '}${each}`);
      } else if (line === 'STARTTLS' && isPlain && tls?.by === 'starttls') {
        socket.off('data', data);
        say('220 go on');
        const secured = new TLSSocket(socket, { isServer: true, ...tls.pair });
        secured.on('error', () => undefined);
        serve(secured);
      } else if (line === 'STARTTLS') say('502 not here');
      else if (line.startsWith('AUTH')) {
        isIn = line === signIn;
        say(isIn ? '235 in' : '535 no');
      } else if (!isIn && line.startsWith('MAIL')) say('530 who');
      else if (line.startsWith('RCPT TO:<no')) say('550 nobody');
      else if (line === 'DATA') {
        isData = true;
        heard.mails.push('');
        say('354 go on');
      } else if (line === 'QUIT') socket.end('221 bye\r\n');
      else say('250 ok');
    };
    socket.on('data', data);
  }
  const server = tls?.by === 'tls' ? createTlsServer(tls.pair, greet) : createServer(greet);
  server.on('tlsClientError', () => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    heard,
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
}
