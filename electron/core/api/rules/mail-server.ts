import type { CheckedInput } from '#shared/operations/index.ts';
import { MailError, sendMail, type MailServer } from '../../acts/send-mail.ts';
import type { SecretRef } from '../../vault/vault.ts';
import type { Context } from '../context.ts';
import { preferencesOf } from '../preferences.ts';

/** Password by which the installation signs in at its mail server. */
export const MAIL_PASSWORD: SecretRef = { kind: 'mail-password', id: 'smtp' };

/** Why no mail is sent, for people. */
export const NO_MAIL_SERVER = 'No mail server is set in the settings (mail).';

/** Resolves with the mail server of the settings; null where there is none. */
export async function mailServerOf({
  metadata,
  vault,
}: Pick<Context, 'metadata' | 'vault'>): Promise<MailServer | null> {
  const { mail } = await metadata.read(preferencesOf);
  return mail && { ...mail, password: mail.user === '' ? null : await vault.get(MAIL_PASSWORD) };
}

/**
 * Keeps the password that comes with settings, before these are changed. Without one the password that is kept goes with its server or
 * user, so that no other server gets it.
 */
export async function keepMailPassword(
  given: NonNullable<CheckedInput<'settings.update'>['mail']> | null,
  { metadata, vault }: Pick<Context, 'metadata' | 'vault'>,
): Promise<void> {
  if (given?.password !== undefined) return vault.set(MAIL_PASSWORD, given.password);
  const { mail } = await metadata.read(preferencesOf);
  const isSame =
    mail !== null &&
    given !== null &&
    mail.host === given.host &&
    mail.port === given.port &&
    mail.user === given.user;
  if (!isSame) await vault.delete(MAIL_PASSWORD);
}

const TEST = {
  subject: 'Test mail of Fieldbench',
  text: 'The mail server of the settings takes mails of alarms.\n',
  key: 'test',
};

/** Resolves with whether a mail to an address was taken, and why not. */
export async function sendTestMail(
  server: MailServer,
  to: string,
): Promise<{ readonly sent: boolean; readonly problem: string | null }> {
  try {
    const problem = await sendMail({ to: [to], ...TEST }, server);
    return { sent: problem === null, problem };
  } catch (error) {
    if (!(error instanceof MailError)) throw error;
    return { sent: false, problem: error.message };
  }
}
