import { Anchor, Text } from '@mantine/core';
import type { Source } from '#shared/domain/sources.ts';
import { SOURCE_DOORS } from '../../../components/facts/snippets/source-doors.ts';
import { hrefTo } from '../../../router.ts';
import { status } from '../../../stores/service.ts';

/** Reach of a device's door, and where that is changed. */
export function NetworkNote({ source }: { readonly source: Source }) {
  const { value } = status.useValue('service');
  if (!value) return null;
  const isOpen = SOURCE_DOORS[source].isOnNetwork(value);
  return (
    <Text size="sm">
      {isOpen
        ? 'Devices on the network reach the address over TLS; they trust the certificate that the code for Arduino holds.'
        : 'Only this machine reaches the service now.'}{' '}
      <Anchor href={hrefTo({ screen: 'service', part: 'doors' })} inherit underline="always">
        {isOpen ? 'Addresses and doors' : 'Let devices on the network in…'}
      </Anchor>
    </Text>
  );
}
