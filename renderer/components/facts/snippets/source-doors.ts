import type { Source } from '#shared/domain/sources.ts';
import type { ServiceStatus } from '#shared/operations/service/service.ts';
import { httpForDevices } from './http-door.ts';
import { networkUrl } from './mqtt-door.ts';

/** The door of a source, as the service's status tells of it. */
interface SourceDoor {
  readonly isOpen: (status: ServiceStatus) => boolean;
  /** Whether other machines reach it. */
  readonly isOnNetwork: (status: ServiceStatus) => boolean;
  /** Where a device sends to; null where no door is open to it. */
  readonly urlForDevices: (status: ServiceStatus) => string | null;
}

export const SOURCE_DOORS: Readonly<Record<Source, SourceDoor>> = {
  http: {
    isOpen: () => true,
    isOnNetwork: ({ network_hosts }) => network_hosts.length > 0,
    urlForDevices: (status) => httpForDevices(status)?.url ?? null,
  },
  mqtt: {
    isOpen: ({ mqtt_url, mqtts_url }) => mqtt_url !== null || mqtts_url !== null,
    isOnNetwork: ({ network_hosts, mqtts_url }) => network_hosts.length > 0 && mqtts_url !== null,
    urlForDevices: (status) => networkUrl(status) ?? status.mqtt_url,
  },
};
