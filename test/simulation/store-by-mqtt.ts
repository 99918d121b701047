import { ok } from 'node:assert/strict';
import { applied, type Act } from '../faults/history.ts';
import type { Simulated } from './acts.ts';
import { someDrafts } from './drafts.ts';
import { sentAs, storedAt, type Device, type Draft } from './model.ts';
import type { Publication } from './mqtt-wire.ts';
import type { Cut } from './wire.ts';

/*
 * A device publishes, and goes on with what was cut off when it comes back. QoS 1 may store twice what was published twice; QoS 2 stores
 * once, whatever ends in between (docs/mqtt.md, "Storing").
 */

export async function storeByMqtt(on: Simulated, device: Device, cut: Cut | null): Promise<void> {
  const { world } = on;
  if (device.owed !== null) return goOn(on, device, cut);
  const drafts = someDrafts(world, 4);
  const publication: Publication = {
    device: device.id,
    token: device.token,
    version: device.messages % 7 < 3 ? 4 : 5,
    qos: world.random.of([1, 2]),
    messageId: 1 + (device.messages++ % 65_535),
    payload: JSON.stringify(drafts.map(sentAs)),
    phase: 'new',
  };
  const act = actOf(on, device, drafts);
  const result = await world.publish(publication, cut);
  ok(result !== 'refused' || world.isTroubled, `${device.name} was refused over MQTT`);
  ok(result !== 'cut' || cut !== null || !world.isUp || world.isTroubled, `${device.name} was cut off`);
  const { phase } = publication;
  // Before it is let in, a client says nothing.
  if (phase === 'new' || result === 'refused') return;
  if (phase !== 'sent') on.model.apply(device, act);
  else
    device.doubt = {
      kind: 'content',
      possible: [device.content, applied(device.content, act)],
      isOfOwed: true,
    };
  if (phase !== 'over') device.owed = { publication, drafts, stored: phase === 'released' };
}

async function goOn({ world, model }: Simulated, device: Device, cut: Cut | null): Promise<void> {
  const { owed } = device;
  if (owed === null) return;
  const publication = { ...owed.publication, token: device.token };
  const wasReleased = publication.phase === 'released';
  const act = actOf({ world, model }, device, owed.drafts);
  const result = await world.publish(publication, cut);
  ok(result !== 'refused' || world.isTroubled, `${device.name} was refused over MQTT`);
  ok(result !== 'cut' || cut !== null || !world.isUp || world.isTroubled, `${device.name} was cut off`);
  device.owed = publication.phase === 'over' ? null : { ...owed, publication };
  // What the service has, it does not store again.
  if (wasReleased || result === 'forgotten' || (publication.qos === 2 && owed.stored)) return;
  if (publication.phase === 'sent')
    device.doubt = {
      kind: 'content',
      possible: [device.content, applied(device.content, act)],
      isOfOwed: true,
    };
  else {
    model.apply(device, act);
    if (device.owed !== null) device.owed.stored = true;
  }
}

const actOf = ({ world }: Simulated, { id }: Device, drafts: readonly Draft[]): Act => ({
  kind: 'append',
  device: id,
  records: drafts.map((draft) => storedAt(draft, world.now)),
});
