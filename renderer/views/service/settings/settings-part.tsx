import { Stack, Switch, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { ask, messageOf } from '../../../bridge/ask.ts';
import { NoticeSettings } from '../../../components/alarms/notice-settings.tsx';
import { useSubmit } from '../../../components/dialog/use-submit.ts';
import { Problem } from '../../../components/work/problem.tsx';
import { countOf } from '../../../format.ts';
import { settings } from '../../../stores/storage.ts';
import { Part } from '../parts.tsx';
import { ChangeForm } from './change-form.tsx';
import { MailPart } from './mail-part.tsx';
import { WebhookHosts } from './webhook-hosts.tsx';
import { wholeTyped } from '../whole-typed.ts';
import { Loading } from '../../../components/work/loading.tsx';

/** Settings of the installation. */
export function SettingsPart() {
  settings.useWatch('all');
  const { value, error } = settings.useValue('all');
  if (!value)
    return error === null ? (
      <Loading h={220} label="Loading the settings" />
    ) : (
      <Problem message={error} onRetry={settings.reload} />
    );
  return (
    <Stack gap="md">
      {error !== null && <Problem message={error} onRetry={settings.reload} />}
      <KeepDays now={value.keep_days} />
      <KeepV2 now={value.keep_v2_deletes} />
      <WebhookHosts now={value.webhook_hosts} />
      <MailPart now={value.mail} />
      <Part title="Alarms in this window">
        <NoticeSettings />
      </Part>
    </Stack>
  );
}

/** Field for the days; refused input stays, with the reason. */
function KeepDays({ now }: { readonly now: number }) {
  const [typed, setTyped] = useState<string | null>(null);
  const submit = useSubmit(async () => {
    await ask('settings.update', { keep_days: wholeTyped('keep_days', typed ?? '', 1, 3_650) });
    setTyped(null);
    settings.reload();
  });
  return (
    <ChangeForm
      title="What is deleted in the app"
      submit={submit}
      isChanged={typed !== null && typed.trim() !== String(now)}
      leave={`Leave it at ${countOf(now, 'day')}`}
      onLeave={() => setTyped(null)}
      below={
        <Text size="sm" c="dimmed">
          It counts for what is deleted from then on. What is kept already stays for as long as was said when
          it was deleted, and goes earlier only by “Delete for good”, or while the disk has less than 5 %
          free.
        </Text>
      }
    >
      <TextInput
        w={{ base: '100%', xs: 360 }}
        label="Days for which it can be had back"
        description="1 to 3,650. It takes room on the disk for so long."
        inputMode="numeric"
        autoComplete="off"
        value={typed ?? String(now)}
        onChange={(event) => setTyped(event.currentTarget.value)}
        error={submit.error?.replace(/^keep_days /, '')}
      />
    </ChangeForm>
  );
}

function KeepV2({ now }: { readonly now: boolean }) {
  const [error, setError] = useState<string | null>(null);
  const [isBusy, setIsBusy] = useState(false);
  const turn = async (keep_v2_deletes: boolean) => {
    setIsBusy(true);
    setError(null);
    try {
      await ask('settings.update', { keep_v2_deletes });
      settings.reload();
    } catch (caught) {
      setError(messageOf(caught));
    } finally {
      setIsBusy(false);
    }
  };
  return (
    <Part title="What programs delete">
      <Switch
        label="Keep what rigs and scripts delete, too"
        description="Off, a delete under /v2 is final at once. On, it waits in “Recently deleted” as one of the app does, for as many days."
        checked={now}
        disabled={isBusy}
        error={error}
        onChange={(event) => void turn(event.currentTarget.checked)}
      />
      <Text size="sm" c="dimmed">
        {now
          ? 'Turned off, what is kept already stays until its time is up.'
          : 'Turned on, what was deleted before does not come back.'}{' '}
        Programs notice no difference: the answers are the same.
      </Text>
    </Part>
  );
}
