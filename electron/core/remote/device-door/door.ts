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
  /** Media type. Over MQTT it is said of NDJSON alone: what says nothing is JSON. */
  readonly type: string;
}

/** Answer of HTTP, as it came. */
interface HttpReply {
  readonly status: number;
  /** Words beside the status. */
  readonly reason: string;
  /** In their order and spelling. */
  readonly headers: readonly { readonly name: string; readonly value: string }[];
  readonly body: string;
}

/** Packet of MQTT 5 that answered a CONNECT or a PUBLISH. */
interface MqttReply {
  readonly packet: string;
  readonly reason_code: number;
  readonly reason_string: string | null;
}

/** Answer of a door. */
export interface DoorAnswer {
  readonly accepted: boolean;
  readonly message: string;
  /** Of HTTP; null over MQTT, and where there was no answer. */
  readonly status: number | null;
  /** As the device gets it: of one of the two; both null where there was no answer. */
  readonly http: HttpReply | null;
  readonly mqtt: MqttReply | null;
}

/** What is said where a door gave no answer of its own. */
export const noAnswer = (message: string): DoorAnswer => ({
  accepted: false,
  message,
  status: null,
  http: null,
  mqtt: null,
});

/** A door as a device sees it: over the network stack, with its token. */
export interface Door {
  /** A door that is shut is an answer, too. Rejects where it does not answer, or is closed meanwhile. */
  send(payload: DevicePayload): Promise<DoorAnswer>;
  close(): void;
}

/** ms that a door may take to answer. */
export const PATIENCE_MS = 10_000;
