import { addTo } from '../../ingest/sums.ts';
import { SHARED_PAYLOAD } from '../limits.ts';
import { deviceOfTopic } from '../topics.ts';
import { weightOf, type Message } from './message.ts';

/** Project of devices whose project is not known yet. */
const UNKNOWN = '';

/** Bytes of all messages that are kept, for whomever, of which one device, and one project, has a part at most. */
export class Room {
  #left: number;
  readonly #mostOfDevice: number;
  readonly #mostOfProject: number;
  readonly #ofDevices = new Map<string, number>();
  readonly #ofProjects = new Map<string, number>();
  /** By devices. */
  readonly #projects = new Map<string, string>();
  /** Messages on their way, and to how many. */
  readonly #shared = new Map<Message, number>();

  constructor(bytes: number, mostOfDevice = bytes, mostOfProject = bytes) {
    this.#left = bytes;
    this.#mostOfDevice = mostOfDevice;
    this.#mostOfProject = mostOfProject;
  }

  /** A device is in this project, from now on or still; what is kept of it counts there, also beyond its part. */
  belongs(device: string, project: string): void {
    const before = this.#projectOf(device);
    if (before === project) return;
    const bytes = this.#ofDevices.get(device) ?? 0;
    addTo(this.#ofProjects, before, -bytes);
    addTo(this.#ofProjects, project, bytes);
    this.#projects.set(device, project);
  }

  /** A device is gone, and nothing is kept of it any more. */
  forget(device: string): void {
    if (!this.#ofDevices.has(device)) this.#projects.delete(device);
  }

  /** Whether there was room. */
  take(device: string, bytes: number): boolean {
    const ofDevice = (this.#ofDevices.get(device) ?? 0) + bytes;
    const ofProject = (this.#ofProjects.get(this.#projectOf(device)) ?? 0) + bytes;
    const isTooMuch = bytes > this.#left || ofDevice > this.#mostOfDevice || ofProject > this.#mostOfProject;
    if (bytes > 0 && isTooMuch) return false;
    this.count(device, bytes);
    return true;
  }

  /** Takes room for what is there already, whether there is some or not. */
  count(device: string, bytes: number): void {
    this.#left -= bytes;
    addTo(this.#ofDevices, device, bytes);
    addTo(this.#ofProjects, this.#projectOf(device), bytes);
  }

  give(device: string, bytes: number): void {
    this.count(device, -bytes);
  }

  /**
   * Counts a message that is on its way to a client; a large one, of which all who get it have the same bytes, once. It is
   * there already, so that it finds room in any case.
   */
  share(message: Message): void {
    const holders = this.#shared.get(message) ?? 0;
    if (isShared(message)) this.#shared.set(message, holders + 1);
    if (holders === 0) this.count(deviceOfTopic(message.topic), weightOf(message));
  }

  /** Releases a message that has left, or never will. */
  unshare(message: Message): void {
    const holders = (this.#shared.get(message) ?? 1) - 1;
    if (holders > 0) {
      this.#shared.set(message, holders);
      return;
    }
    this.#shared.delete(message);
    this.give(deviceOfTopic(message.topic), weightOf(message));
  }

  #projectOf(device: string): string {
    return this.#projects.get(device) ?? UNKNOWN;
  }
}

const isShared = ({ payload }: Message) => payload.length >= SHARED_PAYLOAD;
