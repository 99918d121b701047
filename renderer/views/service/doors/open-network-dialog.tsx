import { List, Text } from '@mantine/core';
import { parseInstant } from '#shared/values/time.ts';
import { ask } from '../../../bridge/ask.ts';
import { FormDialog } from '../../../components/dialog/form-dialog.tsx';
import { useSubmit } from '../../../components/dialog/use-submit.ts';
import { Loading } from '../../../components/work/loading.tsx';
import { countOf } from '../../../format.ts';
import { closeDialog } from '../../../stores/dialog.ts';
import { apiKeys, doors, status } from '../../../stores/service.ts';
import { nowMicros } from '../../../time.ts';
import { networkAddresses, staysShut } from './network-addresses.ts';

/** The last step before the network is let in: what will answer, what stays shut, and who has a key. */
export function OpenNetworkDialog() {
  doors.useWatch('all');
  apiKeys.useWatch('all');
  status.useWatch('service');
  const { value: now } = doors.useValue('all');
  const { value: keys } = apiKeys.useValue('all');
  const { value: service } = status.useValue('service');
  const submit = useSubmit(async () => {
    await ask('doors.update', { network: true });
    doors.reload();
    status.reload();
    closeDialog();
  });
  const valid = keys?.filter(({ expires_at: end }) => end === null || (parseInstant(end) ?? 0) > nowMicros());
  const isKnown = now !== null && valid !== undefined && service !== null;
  return (
    <FormDialog
      title="Let the network in?"
      action="Let the network in"
      submit={submit}
      disabled={!isKnown}
      focusAction
    >
      {!isKnown ? (
        <Loading h={160} label="Looking at the doors" />
      ) : (
        <>
          <Text size="sm">Every machine that reaches this one then gets an answer at:</Text>
          <List size="sm" className="mono" aria-label="Addresses that will answer">
            {networkAddresses(now).map(({ url }) => (
              <List.Item key={url}>{url}</List.Item>
            ))}
          </List>
          {now.hosts.length === 0 && (
            <Text size="sm">This machine is in no network now: its addresses answer as soon as it is.</Text>
          )}
          <Text size="sm">
            Who has no key or token is refused. Valid now: <b>{countOf(valid.length, 'API key')}</b> and{' '}
            <b>{countOf(service.counts.devices, 'device token')}</b>.
          </Text>
          {staysShut(now).length > 0 && (
            <Text size="sm">Shut all the same: {staysShut(now).join('; ')}.</Text>
          )}
          <Text size="sm" c="dimmed">
            It holds for later starts, too, until it is switched off here.
          </Text>
        </>
      )}
    </FormDialog>
  );
}
