import { Reach } from '../acts/reach.ts';
import { MailError, sendMail } from '../acts/send-mail.ts';
import { sendWebhook } from '../acts/webhook.ts';
import type { Context } from '../api/context.ts';
import { preferencesOf } from '../api/preferences.ts';
import { mailServerOf, NO_MAIL_SERVER } from '../api/rules/mail-server.ts';
import type { Performers } from '../api/rules/outbox.ts';
import { openRules } from '../api/rules/rules.ts';
import type { Logger } from '../base/logger.ts';
import { RuleWatch } from '../rules/rule-watch.ts';
import { changedBy } from '../store/metadata/metadata.ts';
import { BY_ITSELF } from '../store/trail/entry.ts';
import type { AlarmMessages } from './alarm-messages.ts';

const ORIGIN = { ...BY_ITSELF, operation: 'service.rules' };

/** Opens what judges rules and does their acts, once those can be done. Closed with `stack`. */
export function openRulesFor(
  context: Context,
  { messages, log }: { readonly messages: AlarmMessages; readonly log: Logger },
  stack: AsyncDisposableStack,
): void {
  const { records, surveys } = context;
  const reads = { records, semaphore: surveys.of('rules') };
  const performers: Performers = {
    async webhook(hook, signal) {
      const { webhook_hosts } = await context.metadata.read(preferencesOf);
      await sendWebhook(hook, { reach: new Reach(webhook_hosts), signal });
    },
    mqtt: (device_id, _key, payload) => messages.tell(device_id, payload),
    async mail(mail) {
      const server = await mailServerOf(context);
      if (server === null) throw new MailError(NO_MAIL_SERVER);
      return sendMail(mail, server);
    },
  };
  const rules = openRules(
    { ...context, metadata: changedBy(context.metadata, ORIGIN) },
    {
      performers,
      log,
      makeWatch({ rule, ranges, since }) {
        const watch = new RuleWatch(rule, ranges, reads);
        return { look: (device, now) => watch.look(device, now, { after: since }) };
      },
    },
  );
  stack.defer(() => rules.close());
}
