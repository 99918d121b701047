import { Anchor, SimpleGrid } from '@mantine/core';
import type { ServiceStatus } from '#shared/operations/service/service.ts';
import { Copyable } from '../../components/facts/copyable.tsx';
import { networkUrl } from '../../components/facts/snippets/mqtt-door.ts';
import { countOf } from '../../format.ts';
import { hrefTo } from '../../router.ts';
import { Fact, Part } from './parts.tsx';

interface MqttPartProps {
  readonly status: ServiceStatus;
}

/** MQTT listeners for devices; the reason of a shut one. */
export function MqttPart({ status }: MqttPartProps) {
  const { mqtt_url, mqtt_websocket_urls, mqtt_shut, mqtt_connections, mqtt_refused } = status;
  const mqtts_url = networkUrl(status);
  return (
    <Part title="MQTT">
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="md" verticalSpacing="sm">
        {mqtt_url === null ? (
          <Fact label="MQTT, on this machine only">{mqtt_shut ?? 'Shut'}</Fact>
        ) : (
          <Copyable label="MQTT, on this machine only" value={mqtt_url} />
        )}
        {mqtts_url === null ? (
          <Fact label="MQTT over TLS">
            Shut. Under{' '}
            <Anchor href={hrefTo({ screen: 'service', part: 'doors' })} inherit underline="always">
              Network and ports
            </Anchor>{' '}
            it is opened, and to devices on the network, too.
          </Fact>
        ) : (
          <Copyable label="MQTT over TLS" value={mqtts_url} />
        )}
        {mqtt_websocket_urls.map((url) => (
          <Copyable
            key={url}
            label={`MQTT over WebSocket${url.startsWith('wss:') ? '' : ', on this machine only'}`}
            value={url}
          />
        ))}
        {mqtt_connections !== null && (
          <Fact label="Now">
            {countOf(mqtt_connections, 'client')} connected; {countOf(mqtt_refused ?? 0, 'message')} refused
            since the start
          </Fact>
        )}
      </SimpleGrid>
    </Part>
  );
}
