import { SHARED_PAYLOAD } from '../limits.ts';
import { weightOf, type Message } from './message.ts';

/** Bytes of all messages that are kept, for whomever, of which one device has a part at most. */
export class Room {
  #left: number;
  readonly #mostOfDevice: number;
  readonly #ofDevices = new Map<string, number>();
  /** Messages on their way, and to how many. */
  readonly #shared = new Map<Message, number>();

  constructor(bytes: number, mostOfDevice = bytes) {
    this.#left = bytes;
    this.#mostOfDevice = mostOfDevice;
  }

  /** Whether there was room. */
  take(device: string, bytes: number): boolean {
    const ofDevice = (this.#ofDevices.get(device) ?? 0) + bytes;
    if (bytes > 0 && (bytes > this.#left || ofDevice > this.#mostOfDevice)) return false;
    this.count(device, bytes);
    return true;
  }

  /** Takes room for what is there already, whether there is some or not. */
  count(device: string, bytes: number): void {
    this.#left -= bytes;
    if (bytes > 0) this.#ofDevices.set(device, (this.#ofDevices.get(device) ?? 0) + bytes);
  }

  give(device: string, bytes: number): void {
    this.#left += bytes;
    const ofDevice = (this.#ofDevices.get(device) ?? 0) - bytes;
    if (ofDevice > 0) this.#ofDevices.set(device, ofDevice);
    else this.#ofDevices.delete(device);
  }

  /**
   * Counts a message that is on its way to a client; a large one, of which all who get it have the same bytes, once. It is
   * there already, so that it finds room in any case.
   */
  share(message: Message): void {
    const holders = this.#shared.get(message) ?? 0;
    if (isShared(message)) this.#shared.set(message, holders + 1);
    if (holders === 0) this.count(message.topic, weightOf(message));
  }

  /** It has left, or never will. */
  unshare(message: Message): void {
    const holders = (this.#shared.get(message) ?? 1) - 1;
    if (holders > 0) {
      this.#shared.set(message, holders);
      return;
    }
    this.#shared.delete(message);
    this.give(message.topic, weightOf(message));
  }
}

const isShared = ({ payload }: Message) => payload.length >= SHARED_PAYLOAD;
