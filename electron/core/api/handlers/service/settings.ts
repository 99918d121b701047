import type { MailSettings } from '#shared/operations/service/settings.ts';
import { quote } from '#shared/values/validate.ts';
import { faultOfHost } from '../../../acts/reach.ts';
import { badRequest } from '../../../base/errors.ts';
import type { Context, HandlersOf } from '../../context.ts';
import { PREFERENCES, preferencesOf, type Preferences } from '../../preferences.ts';
import {
  keepMailPassword,
  MAIL_PASSWORD,
  mailServerOf,
  NO_MAIL_SERVER,
  sendTestMail,
} from '../../rules/mail-server.ts';

export const settingsHandlers: HandlersOf<'settings'> = {
  async 'settings.get'(_, context) {
    return { data: await viewOf(await context.metadata.read(preferencesOf), context) };
  },

  async 'settings.update'({ input }, context) {
    const { keep_days, keep_v2_deletes, webhook_hosts, mail: given } = input;
    for (const host of webhook_hosts ?? []) {
      const fault = faultOfHost(host);
      if (fault !== null) throw badRequest(`webhook_hosts ${fault}, got ${quote(host)}`);
    }
    if (given !== undefined) await keepMailPassword(given, context);
    const mail = given && withoutPassword(given);
    const changed = { keep_days, keep_v2_deletes, webhook_hosts, mail };
    const data = await context.metadata.change(async (tables) => {
      const before = await preferencesOf(tables);
      if (!(await tables.patch('preferences', PREFERENCES, changed)))
        await tables.insert('preferences', {
          id: PREFERENCES,
          keep_days: keep_days ?? before.keep_days,
          keep_v2_deletes: keep_v2_deletes ?? before.keep_v2_deletes,
          webhook_hosts: webhook_hosts ?? [...before.webhook_hosts],
          mail: mail === undefined ? before.mail : mail,
        });
      return preferencesOf(tables);
    });
    return { data: await viewOf(data, context) };
  },

  async 'settings.test-mail'({ input }, context) {
    const server = await mailServerOf(context);
    if (server === null) return { data: { sent: false, problem: NO_MAIL_SERVER } };
    return { data: await sendTestMail(server, input.to) };
  },
};

const withoutPassword = ({ host, port, security, from, user }: MailSettings): MailSettings => ({
  host,
  port,
  security,
  from,
  user,
});

async function viewOf(preferences: Preferences, { vault }: Pick<Context, 'vault'>) {
  const { mail, webhook_hosts, ...others } = preferences;
  const has_password = mail !== null && (await vault.get(MAIL_PASSWORD)) !== null;
  return { ...others, webhook_hosts: [...webhook_hosts], mail: mail && { ...mail, has_password } };
}
