import type { Metadata } from '../../store/metadata/metadata.ts';
import { Serial } from '../../turns/serial.ts';
import type { Hub } from '../sessions/hub.ts';
import type { Room } from '../sessions/room.ts';

export interface DeletedDevicesParts {
  readonly metadata: Metadata;
  readonly hub: Hub;
  readonly room: Pick<Room, 'belongs' | 'forget'>;
}

/**
 * Removes sessions and retained messages of devices that are deleted for good. Those of a device whose delete can be undone
 * stay: they come back with the device, and are out of reach meanwhile.
 */
export class DeletedDevices {
  readonly #parts: DeletedDevicesParts;
  /** Devices to be checked. */
  readonly #asked = new Set<string>();
  /** Soft-deleted devices. */
  readonly #kept = new Set<string>();
  #isKeptAsked = false;
  readonly #inTurn = new Serial();

  constructor(parts: DeletedDevicesParts) {
    this.#parts = parts;
  }

  /** Checks devices that may be gone; calls meanwhile share a check. Rejects with StoreError. */
  look(devices: Iterable<string>): Promise<void> {
    for (const device of devices) if (this.#parts.hub.has(device)) this.#asked.add(device);
    return this.#inTurn.run(() => this.#look());
  }

  /** Checks after an undo, or after a kept delete was discarded. Rejects with StoreError. */
  lookAtKept(): Promise<void> {
    this.#isKeptAsked = true;
    return this.look([]);
  }

  async #look(): Promise<void> {
    const devices = new Set([...this.#asked, ...(this.#isKeptAsked ? this.#kept : [])]);
    this.#isKeptAsked = false;
    this.#asked.clear();
    if (devices.size === 0) return;
    const { missing, kept } = await this.#missingOf(devices);
    for (const device of devices) this.#kept.delete(device);
    for (const device of missing) {
      if (kept.has(device)) this.#kept.add(device);
      else {
        await this.#parts.hub.remove(device);
        this.#parts.room.forget(device);
      }
    }
  }

  /** Resolves with the ids without a device and all soft-deleted ones, of one snapshot; notes the project of the others. */
  #missingOf(
    devices: Iterable<string>,
  ): Promise<{ readonly missing: ReadonlySet<string>; readonly kept: ReadonlySet<string> }> {
    const { metadata, room } = this.#parts;
    return Promise.resolve(
      metadata.read(async (tables) => {
        const missing = new Set<string>();
        for (const device of devices) {
          const row = await tables.get('devices', device);
          if (row) room.belongs(device, row.project_id);
          else missing.add(device);
        }
        const kept = new Set<string>();
        if (missing.size > 0)
          for (const { project_id, rows } of await tables.list('kept_deletes'))
            for (const { id } of rows.devices ?? []) {
              kept.add(id);
              if (missing.has(id)) room.belongs(id, project_id);
            }
        return { missing, kept };
      }),
    );
  }
}
