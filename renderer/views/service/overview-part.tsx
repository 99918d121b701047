import { Alert, Anchor, List, SimpleGrid, Stack } from '@mantine/core';
import { useCallback } from 'react';
import { IconInfoCircle, IconKey } from '@tabler/icons-react';
import { parseInstant } from '#shared/values/time.ts';
import { Copyable } from '../../components/facts/copyable.tsx';
import { Moment } from '../../components/facts/moment.tsx';
import { countOf, formatBytes } from '../../format.ts';
import { hrefTo } from '../../router.ts';
import type { ServiceStatus } from '#shared/operations/service/service.ts';
import { askHome } from '../../bridge/ask.ts';
import { useRead } from '../../components/work/use-read.ts';
import { at } from '../../bridge/place.ts';
import { MqttPart } from './mqtt-part.tsx';
import { Fact, Part } from './parts.tsx';
import { ThisBrowser } from './this-browser.tsx';
import { VAULTS } from './secrets/vault-words.ts';

/** Overview: listeners, data directory, repairs of the start. */
export function OverviewPart({ status: value }: { readonly status: ServiceStatus }) {
  return (
    <Stack gap="md">
      {value.notes.length > 0 && (
        <Alert color="yellow" variant="light" icon={<IconInfoCircle size={18} />} title="At the last start">
          <List size="sm">
            {value.notes.map((note) => (
              <List.Item key={note}>{note}</List.Item>
            ))}
          </List>
        </Alert>
      )}
      {value.vault_warning !== null && !value.in_memory && (
        <Alert color="yellow" variant="light" icon={<IconKey size={18} />} title="Secrets">
          {value.vault_warning}
        </Alert>
      )}
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="md">
        <Part title="Addresses">
          <Copyable label={value.base_url.startsWith('https:') ? 'HTTPS' : 'HTTP'} value={value.base_url} />
          {value.http_url !== null && value.http_url !== value.base_url && (
            <Copyable label="HTTP, on this machine only" value={value.http_url} />
          )}
          {value.ca_file !== null && (
            <Copyable label="Certificate authority to trust" value={value.ca_file} />
          )}
          {value.ca_certificate !== null && (
            <Fingerprint
              certificate={value.ca_certificate}
              label={
                value.ca_file === null
                  ? 'Fingerprint of its authority (SHA-256)'
                  : 'Its fingerprint (SHA-256)'
              }
            />
          )}
          <Copyable label="Account id" value={value.account_id} />
        </Part>
        <Part title="State">
          <Fact label={value.in_memory ? 'Free in its memory' : 'Free on its disk'}>
            {formatBytes(value.disk_free)}.{' '}
            <Anchor href={hrefTo({ screen: 'service', part: 'storage' })} inherit underline="always">
              What takes room
            </Anchor>
          </Fact>
          <Fact label="Secrets">
            {VAULTS[value.vault]}
            {value.vault_reason !== null && `: ${value.vault_reason}`}
          </Fact>
          <Fact label="Holds">
            {countOf(value.counts.projects, 'project')}, {countOf(value.counts.devices, 'device')}
            {value.counts.accounts > 1 && ` in ${countOf(value.counts.accounts, 'account')}`}
          </Fact>
          <Fact label="Running since">
            <Moment at={parseInstant(value.started_at) ?? 0} coarse />
          </Fact>
        </Part>
      </SimpleGrid>
      <MqttPart status={value} />
      {window.fieldbench === undefined && at === null && <ThisBrowser />}
    </Stack>
  );
}

/** Fingerprint to be compared on another machine. */
function Fingerprint({ certificate, label }: { readonly certificate: string; readonly label: string }) {
  const { value } = useRead(
    useCallback(() => askHome('other-services.read-certificate', { certificate }), [certificate]),
  );
  return value && <Copyable label={label} value={value.fingerprint} />;
}
