/** Protocol version of a CONNECT: 4 is MQTT 3.1.1 (3.1.2.2). */
export type Version = 4 | 5;
