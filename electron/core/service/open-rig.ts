import type { Context } from '../api/context.ts';
import { Faults, type FaultsParts } from '../faults/faults.ts';
import { doorPlaces } from '../remote/device-door/open-door.ts';
import { Simulators, type SimulatorsParts } from '../simulate/simulators.ts';
import { Uploads } from '../simulate/uploads.ts';

/** What rigs have of a service, in memory alone: faults, simulators, recordings to replay (docs/rigs.md). */
export function openRig(
  parts: Omit<SimulatorsParts, 'places'> & FaultsParts & Pick<Context, 'urls' | 'caCertificate' | 'records'>,
): Pick<Context, 'faults' | 'simulators' | 'uploads'> {
  const { urls, caCertificate } = parts;
  return {
    faults: new Faults(parts),
    simulators: new Simulators({ ...parts, places: () => doorPlaces(urls(), caCertificate()) }),
    uploads: new Uploads(parts),
  };
}
