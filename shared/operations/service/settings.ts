import { z } from 'zod';
import { operation } from '../../schema/operation.ts';
import { text, wholeNumberInBody } from '../../schema/schemas.ts';
import { alternatives } from '../../values/text.ts';

/* docs/local-api.md, "Settings": what people set for the whole installation. */

/** How a mail server is spoken to: TLS from the first byte, TLS by STARTTLS or not at all, or as plain text. */
export const MAIL_SECURITY = ['tls', 'starttls', 'none'] as const;

const addressRule = 'must be an e-mail address';
const mailFields = {
  host: text(1, 253),
  port: wholeNumberInBody(1, 65_535),
  security: z.enum(MAIL_SECURITY, `must be ${alternatives(MAIL_SECURITY)}`),
  /** Address that mails come from. */
  from: z.email(addressRule).max(254, addressRule),
  /** Empty where the server asks for none. */
  user: text(0, 500),
};
const mailSettings = z.object(mailFields);
/** The SMTP server by which mails are sent. */
export type MailSettings = Readonly<z.infer<typeof mailSettings>>;

const MOST_HOSTS = 100;
const hostsRule = `must be an array of at most ${MOST_HOSTS} names and networks`;

const settings = z
  .object({
    /** Days for which what is deleted can be had back. */
    keep_days: z.int(),
    /** Whether deletes under /v2 can be undone, too. */
    keep_v2_deletes: z.boolean(),
    /** Names and networks that webhooks may reach although they are of this machine or its networks. */
    webhook_hosts: z.array(z.string()),
    /** Null: no mail is sent. */
    mail: mailSettings.extend({ has_password: z.boolean() }).nullable(),
  })
  .meta({ id: 'Settings' });
const settingsPath = '/_local/v1/settings';

export const settingsOperations = {
  'settings.get': operation({
    method: 'GET',
    path: settingsPath,
    permissions: ['admin'],
    reach: 'installation',
    action: 'get settings',
    message: 'Settings retrieved successfully.',
    description: 'The settings of the installation.',
    input: z.object({}),
    output: settings,
  }),
  'settings.update': operation({
    method: 'PATCH',
    path: settingsPath,
    permissions: ['admin'],
    reach: 'installation',
    action: 'update settings',
    message: 'Settings updated successfully.',
    description:
      'Changes the settings that are given. What was deleted before is kept as long as was said then.',
    input: z.object({
      keep_days: wholeNumberInBody(1, 3650).optional(),
      keep_v2_deletes: z.boolean('must be true or false').optional(),
      webhook_hosts: z.array(z.string(hostsRule), hostsRule).max(MOST_HOSTS, hostsRule).optional(),
      /** Without a password the one that is kept stays, as long as host and user do. */
      mail: mailSettings
        .extend({ password: text(1, 1000).optional() })
        .nullable()
        .optional(),
    }),
    output: settings,
  }),
  'settings.test-mail': operation({
    method: 'POST',
    path: `${settingsPath}/test-mail`,
    permissions: ['admin'],
    reach: 'installation',
    action: 'test mail',
    message: 'Test mail tried.',
    description: 'Sends a mail to an address by the SMTP server of the settings, and says what became of it.',
    input: z.object({ to: mailFields.from }),
    output: z.object({ sent: z.boolean(), problem: z.string().nullable() }).meta({ id: 'TestMail' }),
  }),
} as const;
