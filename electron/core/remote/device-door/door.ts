import type { Trust } from '../trust.ts';

/** Where a service has its doors for devices, of this process or elsewhere. */
export interface DoorPlaces {
  /** Without a slash at its end. */
  readonly http: string;
  /** `mqtt://` or `mqtts://`; null where it is shut. */
  readonly mqtt: string | null;
  /** Why it is shut, for people to read. */
  readonly shut: string | null;
  /** Of those with TLS. */
  readonly trust: Trust;
}

/** What a device sends with. */
export interface Login {
  readonly id: string;
  readonly token: string;
  /** Client id over MQTT. */
  readonly client: string;
}

export interface DevicePayload {
  readonly bytes: string | Uint8Array;
  /** Media type over HTTP; MQTT has none. */
  readonly type: string;
}

/** Answer of a door. */
export interface DoorAnswer {
  readonly accepted: boolean;
  readonly message: string;
  /** Of HTTP; null over MQTT, and where there was no answer. */
  readonly status: number | null;
}

/** A door as a device sees it: over the network stack, with its token. */
export interface Door {
  /** A door that is shut is an answer, too. Rejects where it does not answer, or is closed meanwhile. */
  send(payload: DevicePayload): Promise<DoorAnswer>;
  close(): void;
}

/** ms that a door may take to answer. */
export const PATIENCE_MS = 10_000;
