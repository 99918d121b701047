/** Sources of a device's readings; a device's source cannot be changed later. */
export const SOURCES = ['http', 'mqtt'] as const;
export type Source = (typeof SOURCES)[number];

/** Words of each for people. */
export const SOURCE_WORDS: Readonly<
  Record<
    Source,
    {
      readonly label: string;
      /** Names of its id and its token where they are given to a device. */
      readonly id: string;
      readonly token: string;
    }
  >
> = {
  http: { label: 'HTTP', id: 'Device id', token: 'Device token' },
  mqtt: {
    label: 'MQTT',
    id: 'Device id: MQTT user name and topic',
    token: 'Device token: MQTT password',
  },
};

/** Doors (listeners) of requests: `ws` is MQTT over a WebSocket. */
export const REQUEST_DOORS = ['http', 'https', 'mqtt', 'mqtts', 'ws'] as const;
export type RequestDoor = (typeof REQUEST_DOORS)[number];

/** Words of each for people, and its source. */
export const REQUEST_DOOR_FACTS: Readonly<
  Record<RequestDoor, { readonly label: string; readonly source: Source }>
> = {
  http: { label: 'HTTP', source: 'http' },
  https: { label: 'HTTPS', source: 'http' },
  mqtt: { label: 'MQTT', source: 'mqtt' },
  mqtts: { label: 'MQTT over TLS', source: 'mqtt' },
  ws: { label: 'MQTT over WebSocket', source: 'mqtt' },
};
