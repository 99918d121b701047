import { HANDOVER_TYPE } from '#shared/operations/service/handover.ts';
import type { OutputOf } from '#shared/operations/index.ts';
import type { View } from '#shared/domain/corrections.ts';
import { Refusal } from '../../base/errors.ts';
import { exportDevice } from '../../export/export-device.ts';
import type { HandoverContent } from '../../handover/content.ts';
import { handoverPage } from '../../handover/page/handover-page.ts';
import { PackedDevices } from '../../handover/page/packed-devices.ts';
import { hasViewer } from '../../handover/page/viewer.ts';
import { membersOf } from '../../handover/members.ts';
import { signingKeyOf } from '../../handover/signing-key.ts';
import { writePackage, type PackagePiece } from '../../handover/write-package.ts';
import type { Admitted, Context, Handled } from '../context.ts';
import type { Viewed } from '../../store/store.ts';
import { NO_FORMER_TRAILS } from '../../store/trail/verify-former.ts';
import { viewed } from '../corrections/viewed.ts';
import { bytesOf } from '../exports/write-export.ts';
import { removedOf } from '../exports/plan-export.ts';
import { rangeOf } from '../range.ts';
import { gather, requireDevices, type Gathered } from './gather.ts';
import { formerParts, trailPart } from './trail-part.ts';

/** Makes a package while it is read. Rejects with a 404 Refusal where a device is not there. */
export async function handOver(
  { input, principal, signal }: Pick<Admitted<'handover.get'>, 'input' | 'principal' | 'signal'>,
  context: Context,
): Promise<Handled<OutputOf<'handover.get'>>> {
  const { metadata, records, vault, jobs, exports, default_account_id } = context;
  const found = await requireDevices(input.devices, context);
  const [only] = found.length === 1 ? found : [];
  const range = rangeOf(input);
  const { fingerprint } = await signingKeyOf(vault);
  const stop = new AbortController();
  const either = signal ? AbortSignal.any([signal, stop.signal]) : stop.signal;
  const asked = { devices: input.devices, range, key_id: principal.key_id };
  const recordsIn = async (views: readonly Viewed[]) => {
    const extents = await Promise.all(views.map((of) => records.within(of, range)));
    return extents.reduce((sum, extent) => sum + extent.records, 0);
  };
  const corrected = await Promise.all(input.devices.map((id) => viewed(id, 'corrected', context)));
  const stored = await recordsIn(input.devices);

  /** Holds nothing until it is read, since who asks may want no more than the head of an answer. */
  async function* written(): AsyncGenerator<PackagePiece, void, undefined> {
    const gathered = await gather(asked, context, either);
    const content: HandoverContent = { range, devices: gathered.map(({ device }) => device) };
    const ids = new Set(input.devices);
    const former = await formerParts(context.formerTrails ?? NO_FORMER_TRAILS, ids, either);
    // Packed while the files before the page are written.
    const packed = mayReport(content) ? new PackedDevices(content.devices, either) : null;
    const members = membersOf(content, {
      format: input.format,
      records: (place, view, read) => recordsOf(gathered[place], view, read),
      trail: () => trailPart(metadata.trail, ids, either),
      former,
      report: packed && (() => handoverPage(content, { packed })),
    });
    const key = async () => {
      await requireUnchanged(gathered, context);
      return signingKeyOf(vault);
    };
    try {
      yield* writePackage({ members, key, signal: either });
    } finally {
      packed?.stop();
    }
  }

  async function* recordsOf(one: Gathered | undefined, view: View, read: (records: number) => void) {
    if (!one) return;
    const { of, range: own } = one.sources[view];
    const { keys } = one.device.views[view];
    const file = { format: input.format, keys, records, device: of, range: own, signal: either };
    for await (const { bytes, length } of exportDevice(file)) {
      read(length);
      yield bytes;
    }
  }

  const job = {
    kind: 'handover',
    account_id: only?.project.account_id ?? default_account_id,
    project_id: only?.project.id ?? '',
    device_id: only?.device.id ?? null,
    name: only?.device.name ?? '',
    unit: 'records',
    // Both views of those that have corrections.
    total: stored + (await recordsIn(corrected.filter((of) => typeof of !== 'string'))),
    stop,
  } as const;
  const { parts, givenUp } = exports.take(written(), principal.key_id, either);
  return {
    data: {
      devices: found.length,
      records: stored,
      fingerprint,
    },
    download: {
      type: HANDOVER_TYPE,
      name: `handover_${only?.device.name ?? `${found.length}_devices`}`,
      extension: 'zip',
      bytes: bytesOf(jobs.follow(job, parts, signal), 0),
      givenUp: AbortSignal.any([givenUp, stop.signal]),
    },
  };
}

/** Records of both views that a page shows, which a browser holds all at once. */
const MOST_IN_REPORT = 2_500_000;

/** Of more records the package has no page; nor where none was built. */
function mayReport({ devices }: HandoverContent): boolean {
  const records = devices.reduce((sum, { views }) => sum + views.raw.records + views.corrected.records, 0);
  return records <= MOST_IN_REPORT && hasViewer();
}

/**
 * Rejects with a 503 Refusal where records of the span came or went while they were written: figures and records of a package are of
 * one moment, or there is none.
 */
async function requireUnchanged(
  gathered: readonly Gathered[],
  { records, removals }: Pick<Context, 'records' | 'removals'>,
): Promise<void> {
  for (const { device, sources } of gathered)
    for (const view of ['raw', 'corrected'] as const) {
      const { of, range, removed } = sources[view];
      const now = await records.within(of, range);
      if (now.records === device.views[view].records && removed === removedOf(of, removals)) continue;
      throw new Refusal(
        503,
        `The records of ${device.facts.name} changed while they were handed over, and nothing is. Try again, or name an end before what still comes.`,
      );
    }
}
