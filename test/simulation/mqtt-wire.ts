import type { Server } from 'node:net';
import { duplexPair } from 'node:stream';
import { generate, parser, type IPublishPacket, type Packet } from 'mqtt-packet';
import { asSocket, type Cut } from './wire.ts';

/** What a client of MQTT publishes, and remembers over its connections until it is over. */
export interface Publication {
  readonly device: string;
  readonly token: string;
  readonly version: 4 | 5;
  readonly qos: 1 | 2;
  readonly messageId: number;
  readonly payload: string;
  /** How far it came: `released` is QoS 2 that the service has confirmed to have. */
  phase: 'new' | 'sent' | 'released' | 'over';
}

/** What came of an exchange; `refused` in a packet of the service, `forgotten` where it knew the session no more. */
export type Published = 'over' | 'cut' | 'refused' | 'forgotten';

/** Goes on with a publication, as the standard says, over a connection of its own. `ended` gets what cuts that. */
export async function publish(
  server: Server,
  publication: Publication,
  cut: Cut | null,
  ended: (end: () => void) => void,
): Promise<{ readonly result: Published; readonly heard: readonly Packet[] }> {
  const { device, token, version, qos, messageId } = publication;
  const [near, far] = duplexPair();
  const heard: Packet[] = [];
  const waiting: Packet[] = [];
  let told = Promise.withResolvers<void>();
  let isOver = false;
  let [sent, came] = [0, 0];
  const end = () => {
    isOver = true;
    near.destroy();
    far.destroy();
    told.resolve();
  };
  ended(end);
  const reader = parser({ protocolVersion: version });
  reader.on('packet', (packet) => {
    heard.push(packet);
    waiting.push(packet);
    told.resolve();
  });
  near.on('error', end).on('close', end).on('end', end);
  far.on('error', () => {});
  near.on('data', (piece: Buffer) => {
    came += piece.length;
    if (cut !== null && 'heard' in cut && came > cut.heard) end();
    else reader.parse(piece);
  });
  const send = (packet: Packet): void => {
    const bytes = generate(packet, { protocolVersion: version });
    const room = cut !== null && 'sent' in cut ? cut.sent - sent : Infinity;
    sent += bytes.length;
    if (isOver) return;
    if (bytes.length <= room) near.write(bytes);
    else near.write(bytes.subarray(0, Math.max(0, room)), end);
  };
  /** The next packet; null where the connection is over. */
  const next = async (): Promise<Packet | null> => {
    for (;;) {
      const packet = waiting.shift();
      if (packet !== undefined || isOver) return packet ?? null;
      await told.promise;
      told = Promise.withResolvers();
    }
  };
  const finish = (result: Published) => {
    publication.phase = result === 'cut' ? publication.phase : 'over';
    end();
    return { result, heard };
  };

  server.emit('connection', asSocket(far));
  send({
    cmd: 'connect',
    protocolId: 'MQTT',
    protocolVersion: version,
    clean: false,
    clientId: `client of ${device}`,
    username: device,
    password: Buffer.from(token),
    keepalive: 0,
    ...(version === 5 && { properties: { sessionExpiryInterval: 86_400 } }),
  });
  const connack = await next();
  if (connack?.cmd !== 'connack') return finish('cut');
  if ((connack.returnCode ?? 0) !== 0 || (connack.reasonCode ?? 0) !== 0) return finish('refused');
  if (publication.phase !== 'new' && !connack.sessionPresent) return finish('forgotten');
  if (publication.phase !== 'released') {
    send(publishOf(publication));
    publication.phase = 'sent';
    const confirmed = await next();
    if (confirmed?.cmd !== (qos === 1 ? 'puback' : 'pubrec')) return finish('cut');
    if (((confirmed as { reasonCode?: number }).reasonCode ?? 0) >= 0x80) return finish('refused');
    if (qos === 1) return finish('over');
    publication.phase = 'released';
  }
  send({ cmd: 'pubrel', messageId });
  return finish((await next())?.cmd === 'pubcomp' ? 'over' : 'cut');
}

const publishOf = ({ device, qos, messageId, payload, phase }: Publication): IPublishPacket => ({
  cmd: 'publish',
  topic: device,
  qos,
  messageId,
  payload,
  retain: false,
  dup: phase === 'sent',
});
