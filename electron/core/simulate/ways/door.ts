import type { Chances } from '../../base/chance.ts';

/** Where the doors of this service are. */
export interface DoorPlaces {
  readonly urls: () => {
    readonly base_url: string;
    readonly http_url: string | null;
    readonly mqtt_url: string | null;
    readonly mqtts_url: string | null;
    /** Why plain MQTT is shut. */
    readonly mqtt_shut: string | null;
  };
  /** The certificate of the service's authority, PEM; null with TLS off. */
  readonly caCertificate: () => string | null;
  readonly chance: Pick<Chances, 'of'>;
}

/** What a device sends with. */
export interface Login {
  readonly id: string;
  readonly token: string;
}

/** Answer of a door. */
export interface DoorAnswer {
  readonly accepted: boolean;
  readonly message: string;
}

/** A door of this service as a device sees it: over the network stack, with its token. */
export interface Door {
  /** Rejects where it does not answer, or is closed meanwhile. */
  send(payload: string): Promise<DoorAnswer>;
  close(): void;
}

/** ms that a door may take to answer. */
export const PATIENCE_MS = 10_000;
