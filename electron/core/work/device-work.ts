import { notFound } from '../errors.ts';

/**
 * Writing that is under way, by device, so that a delete can end it first: what is written after its device's log was
 * dropped would stay behind without an owner.
 */
export interface DeviceWork {
  /** Runs `work`; its signal fires, with a 404 Refusal, when the device is being deleted. Rejects with one when it has been. */
  run<T>(device_id: string, work: (signal: AbortSignal) => Promise<T>): Promise<T>;
  /** Ends the work on a device and waits until none is under way. */
  stop(device_id: string): Promise<void>;
}

/** `isThere` says whether a device has not been deleted; a delete takes it away before it calls `stop`. */
export function createDeviceWork(isThere: (device_id: string) => boolean): DeviceWork {
  const running = new Map<string, Set<{ controller: AbortController; ended: Promise<unknown> }>>();
  return {
    async run(device_id, work) {
      if (!isThere(device_id)) throw notFound('Device');
      const ofDevice = running.get(device_id) ?? new Set();
      running.set(device_id, ofDevice);
      const controller = new AbortController();
      const ended = work(controller.signal);
      const entry = { controller, ended };
      ofDevice.add(entry);
      try {
        return await ended;
      } finally {
        ofDevice.delete(entry);
        if (ofDevice.size === 0 && running.get(device_id) === ofDevice) running.delete(device_id);
      }
    },
    async stop(device_id) {
      const ofDevice = [...(running.get(device_id) ?? [])];
      for (const { controller } of ofDevice) controller.abort(notFound('Device'));
      await Promise.allSettled(ofDevice.map(({ ended }) => ended));
    },
  };
}
