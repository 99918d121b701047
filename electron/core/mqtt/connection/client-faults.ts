import { delayed, wordsOf, type Act } from '../../faults/act.ts';
import type { Faults } from '../../faults/faults.ts';
import { INGEST } from '../../faults/facts.ts';
import type { Sender } from '../../store/metadata/sender.ts';
import type { ClientTrace, MqttDoor } from '../client-trace.ts';
import { PacketError, REASON, type Reason } from '../packets/reasons.ts';
import type { Entry, PublishAct } from './entry.ts';
import type { Refused, Stored } from './storing.ts';

/** Faults as the connections of MQTT have them. */
export type MqttFaults = Pick<Faults, 'isOn' | 'meet'>;

/** What of a client meets faults: its CONNECT, and what it publishes. */
export class ClientFaults {
  readonly #faults: MqttFaults;
  readonly #door: MqttDoor;

  constructor(faults: MqttFaults, door: MqttDoor) {
    this.#faults = faults;
    this.#door = door;
  }

  /** Whether any rule is on: all that a packet costs while none is. */
  get isOn(): boolean {
    return this.#faults.isOn;
  }

  /** `sender`: absent for a client that is not let in. */
  connect(sender: Sender | undefined): Act | null {
    return this.#meet(sender, { operation: null, method: 'CONNECT', path: '' });
  }

  publish(sender: Sender, topic: string): Act | null {
    return this.#meet(sender, { operation: INGEST, method: 'PUBLISH', path: topic });
  }

  #meet(
    sender: Sender | undefined,
    facts: { readonly operation: string | null; readonly method: string; readonly path: string },
  ): Act | null {
    return this.#faults.meet(sender?.account_id ?? null, {
      ...facts,
      door: this.#door,
      key_id: null,
      device_id: sender?.device.id ?? null,
    });
  }
}

export function publishActOf(act: Act): PublishAct {
  const { refuse, drop, mqtt, after_store } = act.do;
  const end = refuse ? 'refuse' : mqtt === 'disconnect' ? 'disconnect' : null;
  const isUnanswered = drop === true || mqtt === 'no-ack';
  const isLost = isUnanswered && after_store !== true;
  const reason = typeof mqtt === 'object' ? asReason(mqtt.reason_code) : REASON.unspecified;
  const isRefused = isLost || end !== null || typeof mqtt === 'object';
  return {
    act,
    end,
    refused: isRefused ? { reason, message: wordsOf(act, 'the message is not stored') } : null,
    isUnanswered,
    isTwice: mqtt === 'duplicate',
  };
}

/**
 * Stores a message as a rule has it; `store` does so as ever, or takes it for refused. Rejects as that, and with PacketError where
 * the connection is to end.
 */
export async function storeUnder(
  { act, end, refused, isUnanswered }: PublishAct,
  { packet, unread, beganMs }: Pick<Entry, 'packet' | 'unread' | 'beganMs'>,
  { trace, cut }: { readonly trace: Pick<ClientTrace, 'published'>; readonly cut: () => void },
  store: (refused: Refused | null) => Promise<Stored>,
): Promise<Stored> {
  await delayed(act);
  if (refused !== null && end !== null) {
    trace.published(packet, refused, 0, beganMs, act.name);
    if (end === 'refuse') cut();
    throw new PacketError(refused.reason, refused.message);
  }
  // Nothing is noted of it: sent again, it is as new.
  if (refused !== null && isUnanswered) return { refused, receiving: null, count: 0, times: null };
  const mend = act.failDisk?.();
  return store(unread ?? refused).finally(mend);
}

/** What a rule does to a CONNECT; `reason` of the CONNACK, null for none. */
interface ConnectAct {
  readonly kind: 'go on' | 'hold' | 'end' | 'cut';
  readonly reason: Reason | null;
}

export function connectActOf(act: Act): ConnectAct {
  const { refuse, drop, mqtt } = act.do;
  if (refuse) return { kind: 'cut', reason: null };
  if (drop === true || mqtt === 'no-ack') return { kind: 'hold', reason: null };
  if (mqtt === 'disconnect') return { kind: 'end', reason: null };
  if (typeof mqtt === 'object') return { kind: 'end', reason: asReason(mqtt.reason_code) };
  return { kind: 'go on', reason: null };
}

/** Others than the service has itself are the rig's to choose. */
const asReason = (code: number) => code as Reason;
