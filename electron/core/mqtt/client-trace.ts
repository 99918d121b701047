import type { IConnectPacket, IPublishPacket } from 'mqtt-packet';
import type { RequestDoor } from '#shared/domain/sources.ts';
import { machineClock, type MonotonicMs } from '../base/machine-clock.ts';
import type { Sender } from '../store/metadata/sender.ts';
import { INGEST } from '../faults/facts.ts';
import type { RequestsSeen, Seen } from '../requests/requests-seen.ts';
import type { Metadata } from '../store/metadata/metadata.ts';
import { REASON, type PacketError, type Reason } from './packets/reasons.ts';

/** The listener that accepted a client. */
export type MqttDoor = Extract<RequestDoor, 'mqtt' | 'mqtts' | 'ws'>;

export interface TraceParts {
  readonly requests: Pick<RequestsSeen, 'add'>;
  readonly metadata: Metadata;
  readonly failed: (error: unknown) => void;
}

/** Request trace of one client: adds its packets and their outcomes to requests seen. */
export class ClientTrace {
  readonly #parts: TraceParts;
  readonly #at: Pick<Seen, 'door' | 'from'>;
  #sender: Sender | undefined;
  #beganMs = machineClock.monotonicMs();
  #isOver = false;
  /** Name of the fault that its CONNECT met. */
  #fault: string | undefined;

  constructor(parts: TraceParts, at: { readonly door: MqttDoor; readonly from: string }) {
    this.#parts = parts;
    this.#at = at;
  }

  /** A CONNECT arrived. */
  connecting(): void {
    this.#beganMs = machineClock.monotonicMs();
  }

  /** The CONNECT met a fault. */
  meets(fault: string): void {
    this.#fault = fault;
  }

  /** The CONNECT was accepted. */
  connected(sender: Sender): void {
    this.#sender = sender;
    this.#tell('CONNECT', { path: '', status: REASON.success, fault: this.#fault, beganMs: this.#beganMs });
  }

  /**
   * Notes that no CONNECT was accepted. The device that it claims to be is looked up; the request is nobody's where that fails.
   * Resolves when it is among requests seen: the answer waits for that, so that its receiver finds the request.
   */
  async refused({ reason, message }: PacketError, packet: IConnectPacket | null): Promise<void> {
    if (this.#isOver) return;
    this.#isOver = true;
    const { id, token } = claimOf(packet);
    const isUnknown = reason === REASON.badCredentials;
    this.#parts.requests.add({
      ...this.#at,
      method: 'CONNECT',
      path: '',
      status: reason,
      isRefused: true,
      device: await this.#claimed(id),
      isClaim: isUnknown,
      token: isUnknown ? token : undefined,
      message,
      fault: this.#fault,
      beganMs: this.#beganMs,
    });
  }

  /** A message was stored, or refused. */
  published(
    { topic, payload }: IPublishPacket,
    refused: { readonly reason: Reason; readonly message: string } | null,
    stored: number,
    beganMs: MonotonicMs,
    fault?: string,
  ): void {
    this.#tell('PUBLISH', {
      operation: INGEST,
      path: topic,
      status: refused?.reason ?? REASON.success,
      message: refused?.message,
      stored,
      body: payload as Buffer,
      fault,
      beganMs,
    });
  }

  /** The service ends the connection of a client that was accepted. */
  ended(reason: Reason, message: string): void {
    if (this.#isOver || reason === REASON.serverShuttingDown) return;
    this.#isOver = true;
    this.#tell('DISCONNECT', { path: '', status: reason, message, beganMs: machineClock.monotonicMs() });
  }

  #tell(method: string, seen: Omit<Seen, 'door' | 'from' | 'method' | 'isRefused' | 'device'>): void {
    const isRefused = seen.status !== REASON.success;
    this.#parts.requests.add({ ...this.#at, ...seen, method, isRefused, device: this.#sender });
  }

  /** Undefined where there is no such device, or the metadata cannot be asked. */
  async #claimed(id: string): Promise<Sender | undefined> {
    if (id === '') return undefined;
    try {
      return await this.#parts.metadata.read(async (tables) => {
        const device = await tables.get('devices', id);
        const project = device && (await tables.get('projects', device.project_id));
        return device && project ? { account_id: project.account_id, device } : undefined;
      });
    } catch (error) {
      this.#parts.failed(error);
      return undefined;
    }
  }
}

/** The identity that a CONNECT claims, in either way to sign in. */
function claimOf(packet: IConnectPacket | null): { readonly id: string; readonly token?: string } {
  const { username = '', password, clientId = '' } = packet ?? {};
  if (username === '') return { id: clientId };
  const isAlone = password === undefined || password.length === 0;
  return isAlone ? { id: clientId, token: username } : { id: username, token: password.toString('utf8') };
}
