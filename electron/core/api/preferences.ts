import type { MailSettings } from '#shared/operations/service/settings.ts';
import type { Tables } from '../store/metadata/metadata.ts';

/** Settings of the installation. */
export interface Preferences {
  readonly keep_days: number;
  readonly keep_v2_deletes: boolean;
  readonly webhook_hosts: readonly string[];
  /** Null: no mail is sent. */
  readonly mail: MailSettings | null;
}

const FIRST: Preferences = { keep_days: 30, keep_v2_deletes: false, webhook_hosts: [], mail: null };

export const PREFERENCES = 'installation';

export async function preferencesOf(tables: Tables): Promise<Preferences> {
  const row = await tables.get('preferences', PREFERENCES);
  if (!row) return FIRST;
  // Rows from before there were webhooks and mails lack both.
  const { keep_days, keep_v2_deletes, webhook_hosts = FIRST.webhook_hosts, mail = FIRST.mail } = row;
  return { keep_days, keep_v2_deletes, webhook_hosts, mail };
}
