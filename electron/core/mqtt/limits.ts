/* How much a client may ask of the service (docs/mqtt.md, "Limits"). Times in ms, sizes in bytes. */

/** Connections at once; those of one address that is not this machine's own are counted as the HTTP doors count theirs. */
export const MOST_CONNECTIONS = 4096;
/** Connections before CONNECT at most: one more replaces the oldest. */
export const MOST_UNKNOWN = 1024;
/** Until a CONNECT must have come, TLS and all. */
export const CONNECT_MS = 10_000;
/** ms in which a packet that has begun must be whole. */
export const PACKET_MS = 60_000;

/** A packet; before a CONNECT was accepted, and whatever is no PUBLISH. */
export const MOST_PACKET = 4 * 1024 * 1024;
export const MOST_OTHER_PACKET = 128 * 1024;
/** Bytes held of a client before its CONNECT is accepted, frames of WebSockets included. */
export const MOST_OF_STRANGER = 160 * 1024;
/** Bytes of all properties of a packet. */
export const MOST_PROPERTIES = 64 * 1024;
/** A packet that takes its memory from what all bodies under way share before it is read. */
export const LARGE_PACKET = 64 * 1024;

/** Messages of a client under way, whatever their QoS, and their bytes: then nothing more of it is read for the moment. */
export const MOST_UNDER_WAY = 256;
export const MOST_BYTES_UNDER_WAY = 8 * 1024 * 1024;
/** Receive Maximum of clients of 5 (MQTT 5, 3.2.2.3.3). */
export const RECEIVE_MAXIMUM = 256;
/** Messages behind a QoS 2 one that waits until others are released: what a client may have sent at once. */
export const MOST_HELD_UP = 16_384;
/** Bytes that each message under way takes beside its own. */
export const ENTRY_BYTES = 512;
/** QoS 2 messages of a session that are not released: as many as the record store knows receipts of, for sure. */
export const MOST_RECEIVING = 1000;
/** Topic aliases (MQTT 5, 3.2.2.3.8): a device has one topic. */
export const MOST_ALIASES = 4;
/** UTF-16 code units of a client's id; 3.1.3.1 asks for 23 at least. */
export const MOST_CLIENT_ID = 256;

/** Backpressure: unread bytes at which answers cut a client off, and at which its messages wait in their queue. */
export const MOST_UNREAD = 1024 * 1024;
export const UNREAD_BEFORE_QUEUE = 64 * 1024;
/** ms in which a client has to take some of the waiting bytes. */
export const UNTAKEN_MS = 60_000;
/** QoS 1 and 2 messages on their way to a client that names no Receive Maximum of its own. */
export const MOST_UNCONFIRMED = 64;

/** Seconds that a session may be away: a week. */
export const MOST_EXPIRY_S = 7 * 24 * 3600;
/** Sessions of one device whose clients are away. */
export const SESSIONS_AWAY = 16;
/** Messages that wait for one client, and their bytes; bytes of all that wait, and are retained, together. */
export const MOST_WAITING = 1000;
export const MOST_WAITING_BYTES = 4 * 1024 * 1024;
export const MOST_KEPT_BYTES = 128 * 1024 * 1024;
/** Bytes of these of all devices of one project: a key that makes devices in one leaves something to the others. */
export const MOST_KEPT_OF_PROJECT = 64 * 1024 * 1024;
/** Bytes of these of one device; and of messages waiting for a connected client, which count nowhere else. */
export const MOST_KEPT_OF_DEVICE = 12 * 1024 * 1024;
export const MOST_UNCOUNTED = 16 * 1024;
/** A payload that stays in one piece of memory, however many get it. */
export const SHARED_PAYLOAD = 4 * 1024;
/** A message that may be retained. */
export const MOST_RETAINED = 64 * 1024;
