import { delayed, wordsOf } from '../../faults/act.ts';
import type { ClientTrace } from '../client-trace.ts';
import { PacketError, REASON } from '../packets/reasons.ts';
import type { Wire } from '../packets/wire.ts';
import { connectActOf, type ClientFaults } from './client-faults.ts';
import type { Accepted } from './connect.ts';

/** A connection whose CONNECT has come. */
interface Connecting {
  readonly faults: ClientFaults;
  readonly wire: Pick<Wire, 'hold' | 'cut' | 'close'>;
  readonly trace: Pick<ClientTrace, 'meets'>;
  /** Called when it meets a rule: it may take its time from then on. */
  readonly meets: () => void;
  readonly establish: (accepted: Accepted) => Promise<void>;
  /** Resolves when requests seen have it that it is not let in. */
  readonly refused: (why: PacketError) => Promise<void>;
}

/**
 * Goes on with a CONNECT, as rules have it where any are on. Resolves with what is to be called at its end. Rejects as `accept`, or with PacketError
 * for its CONNACK.
 */
export async function connectUnder(
  accepted: Promise<Accepted>,
  { faults, wire, trace, meets, establish, refused }: Connecting,
): Promise<() => void> {
  const sender = await accepted.then(
    (who) => who.sender,
    () => undefined,
  );
  const act = faults.isOn ? faults.connect(sender) : null;
  if (act === null) {
    await establish(await accepted);
    return () => {};
  }
  trace.meets(act.name);
  meets();
  await delayed(act);
  const { kind, reason } = connectActOf(act);
  const words = wordsOf(act, 'the client is not let in');
  if (reason !== null) throw new PacketError(reason, words);
  if (kind === 'go on') {
    const mend = act.failDisk?.();
    await establish(await accepted).finally(mend);
    return () => {};
  }
  await refused(new PacketError(REASON.unspecified, words));
  if (kind === 'cut') wire.cut();
  else if (kind === 'end') wire.close();
  else {
    wire.hold();
    return act.ending.tell(() => wire.cut());
  }
  return () => {};
}
