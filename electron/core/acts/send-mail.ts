import type { MailSettings } from '#shared/operations/service/settings.ts';
import { connectionWords } from './connection-words.ts';

const CONNECT_MS = 10_000;
const WHOLE_MS = 30_000;

/** A mail, and whom it is for. */
export interface Mail {
  readonly to: readonly string[];
  readonly subject: string;
  readonly text: string;
  /** Identifies it among all; the same in each try. */
  readonly key: string;
}

/** A mail was taken for nobody; the message is for people. */
export class MailError extends Error {
  override readonly name = 'MailError';
}

export interface MailServer extends MailSettings {
  /** Null where the server asks for none. */
  readonly password: string | null;
}

/**
 * Resolves once the server has taken a mail, with why it did not for some of whom it is for; null for nobody. Rejects with MailError
 * where it took it for none.
 */
export async function sendMail(
  { to, subject, text, key }: Mail,
  { host, port, security, from, user, password }: MailServer,
  { ca }: { readonly ca?: readonly string[] } = {},
): Promise<string | null> {
  // Most services never send one, and it is large.
  const { createTransport } = await import('nodemailer');
  const transport = createTransport({
    host,
    port,
    secure: security === 'tls',
    requireTLS: security === 'starttls',
    ignoreTLS: security === 'none',
    ...(user !== '' && { auth: { user, pass: password ?? '' } }),
    ...(ca && { tls: { ca: [...ca] } }),
    connectionTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    socketTimeout: WHOLE_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  try {
    const sent = await transport.sendMail({
      from: { name: 'Fieldbench', address: from },
      to: to.map((address) => ({ name: '', address })),
      subject,
      text,
      messageId: `<${key.replaceAll('/', '.')}@fieldbench.invalid>`,
      headers: { 'Auto-Submitted': 'auto-generated' },
    });
    if (sent.rejected.length === 0) return null;
    return `The mail server did not take it for ${sent.rejected.join(', ')}.`;
  } catch (error) {
    throw new MailError(wordsOf(error as MailFault), { cause: error });
  } finally {
    transport.close();
  }
}

/** Error of nodemailer: `originalCode` is Node's, where that has one. */
interface MailFault extends NodeJS.ErrnoException {
  readonly originalCode?: string;
  /** Command that the server refused, and its answer. */
  readonly command?: string;
  readonly response?: string;
}

/** Words of the server or the connection, without what was sent to it. */
function wordsOf({ code = '', originalCode, command, response, message }: MailFault): string {
  if (code === 'EAUTH') return 'The mail server does not take the user and password of the settings.';
  if (command === 'STARTTLS' && response !== undefined)
    return 'The mail server does not offer STARTTLS, so nothing was sent: choose TLS in the settings, or have it offered there.';
  return `The mail server did not take it: ${connectionWords(originalCode ?? code) ?? message.slice(0, 300)}`;
}
